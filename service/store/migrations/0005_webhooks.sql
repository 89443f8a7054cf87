-- Webhooks: addresses that are told what happens in a combat, in the eyes of one of its tokens.
--
-- Their place in the combat is kept here and nowhere else: `told` is the audience's own number up
-- to which the address has been told, `looked` the version of the combat up to which there is
-- nothing more for it. Whoever delivers takes a `claim`, and puts `due` as far ahead as it may
-- need: what it does later than that changes nothing, because somebody else has the next claim.
CREATE TABLE webhooks (
    combat_id uuid NOT NULL,
    webhook_id text NOT NULL,
    made_by text NOT NULL,
    audience text NOT NULL,
    url text NOT NULL,
    occasions text[] NOT NULL,
    secret bytea NOT NULL,
    told bigint NOT NULL,
    looked bigint NOT NULL,
    given_up boolean NOT NULL DEFAULT false,
    failures int NOT NULL DEFAULT 0,  -- since the last success
    problem text NOT NULL DEFAULT '',
    due timestamptz NOT NULL DEFAULT now(),
    claim bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (combat_id, webhook_id)
);
CREATE INDEX webhooks_due ON webhooks (due) WHERE NOT given_up;
