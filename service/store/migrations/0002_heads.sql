-- Where each combat stands. Every change of a combat goes through its one row here, so that the
-- database itself refuses what was decided on anything but the present: `life` is new for each
-- combat that is stored, `version` and `digest` are those of the newest event ('' = stored before
-- this table was), `tokens` counts changes of its tokens, `texts` those of texts that were erased.
CREATE TABLE heads (
    combat_id uuid PRIMARY KEY,
    life uuid NOT NULL DEFAULT gen_random_uuid(),
    version bigint NOT NULL,
    digest text NOT NULL,
    tokens bigint NOT NULL DEFAULT 0,
    texts bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
INSERT INTO heads (combat_id, version, digest)
SELECT originator_id, max(originator_version), '' FROM stored_events GROUP BY originator_id;

-- Tokens may have an end.
ALTER TABLE tokens ADD COLUMN ends_at timestamptz;

-- Keys are kept as hashes from now on, and answers without the tokens that they issued.
DELETE FROM idempotency;

-- The boards of players and spectators are made when they are asked for.
DELETE FROM board WHERE audience <> 'gm';
