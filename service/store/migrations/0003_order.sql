-- One order over all combats that a reader of "greater than the last number" can trust.
--
-- The statement of a command leaves one row in `unplaced`. Once it has committed, `place_events`
-- gives its events the numbers that follow the last one: whoever sees a number sees every smaller
-- one, however late a transaction commits and whatever its id is.
CREATE TABLE unplaced (
    turn bigserial PRIMARY KEY,
    combat_id uuid NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    topic text  -- of a mark: something about the whole combat, not an event
);
CREATE TABLE positions (
    position bigint PRIMARY KEY,
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,  -- 0 = a mark
    topic text
);
CREATE INDEX positions_of_combat ON positions (originator_id, originator_version);

CREATE TABLE log_end (one boolean PRIMARY KEY DEFAULT true CHECK (one), position bigint NOT NULL);

INSERT INTO positions (position, originator_id, originator_version)
SELECT row_number() OVER (ORDER BY xact, notification_id), originator_id, originator_version
FROM stored_events;
INSERT INTO log_end (position) SELECT count(*) FROM stored_events;
DROP INDEX stored_events_order;
ALTER TABLE stored_events DROP COLUMN xact, DROP COLUMN notification_id;

-- Place what has committed; returns how many numbers were given. Readers are told once a batch, in
-- this transaction, so that no command waits for it.
CREATE FUNCTION place_events(most int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    base bigint;
    placed bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM unplaced) THEN
        RETURN 0;
    END IF;
    SELECT position INTO base FROM log_end FOR UPDATE;  -- one at a time
    WITH taken AS (
        DELETE FROM unplaced WHERE turn IN (
            -- Whoever deletes a combat holds its rows, and nobody waits for that.
            SELECT turn FROM unplaced ORDER BY turn LIMIT most FOR UPDATE SKIP LOCKED
        ) RETURNING turn, combat_id, first, last, topic
    ), counted AS (
        SELECT *, sum(last - first + 1) OVER (ORDER BY turn) AS upto FROM taken
    ), given AS (
        INSERT INTO positions (position, originator_id, originator_version, topic)
        SELECT base + upto - (last - v), combat_id, v, topic
        FROM counted, generate_series(first, last) AS v
        RETURNING 1
    )
    SELECT count(*) INTO placed FROM given;
    IF placed > 0 THEN
        UPDATE log_end SET position = base + placed;
        PERFORM pg_notify('stored_events', '');
    END IF;
    RETURN placed;
END $$;

-- Read models have schemas of their own from now on, each with its place in the order.
DROP TABLE combats;
DROP TABLE followers;

-- The log as the eventsourcing library reads it; nobody can write to it.
CREATE SCHEMA log;
CREATE VIEW log.stored_events AS
SELECT p.originator_id, p.originator_version, coalesce(p.topic, e.topic) AS topic,
       coalesce(e.state, '{}'::bytea) AS state, p.position AS notification_id
FROM positions p LEFT JOIN stored_events e USING (originator_id, originator_version)
WHERE p.topic IS NOT NULL OR e.topic IS NOT NULL;
CREATE VIEW log.last AS SELECT position FROM log_end;
