-- Events as the eventsourcing library lays them out, plus the command and the transaction.
CREATE TABLE stored_events (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    notification_id bigserial NOT NULL,
    command_id uuid NOT NULL,
    xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (originator_id, originator_version)
);
-- Followers read in this order, behind the oldest running transaction.
CREATE INDEX stored_events_order ON stored_events (xact, notification_id);

-- First answers, replayed for a repeated Idempotency-Key; kept for 24 hours.
CREATE TABLE idempotency (
    combat_id uuid NOT NULL,
    token_id text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status int NOT NULL,
    etag text NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (combat_id, token_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- The present state, ready to send, one row per audience; audience = token id, "gm" for all GMs.
CREATE TABLE board (
    combat_id uuid NOT NULL,
    audience text NOT NULL,
    version bigint NOT NULL,
    etag text NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (combat_id, audience)
);

CREATE TABLE tokens (
    combat_id uuid NOT NULL,
    token_id text NOT NULL,
    hash bytea NOT NULL,
    role text NOT NULL,
    label text NOT NULL,
    owner text,
    combatants text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    PRIMARY KEY (combat_id, token_id)
);

-- The secrets of the dice, apart from the events; `commitment` is their SHA-256.
CREATE TABLE seeds (
    combat_id uuid NOT NULL,
    commitment text NOT NULL,
    seed bytea NOT NULL,
    PRIMARY KEY (combat_id, commitment)
);

-- Read model: list and search. Follows the log.
CREATE TABLE combats (
    combat_id uuid PRIMARY KEY,
    name text NOT NULL,
    ruleset text NOT NULL,
    status text NOT NULL,
    round int NOT NULL,
    version bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX combats_recent ON combats (updated_at DESC, combat_id);

-- How far each read model has come.
CREATE TABLE followers (
    name text PRIMARY KEY,
    xact xid8 NOT NULL,
    position bigint NOT NULL
);
