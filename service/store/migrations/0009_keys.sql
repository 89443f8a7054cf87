-- Keys of applications: named, stored as hashes. `quota` is the most combats that a key may have;
-- null = no limit.
CREATE TABLE keys (
    key_id text PRIMARY KEY,
    name text NOT NULL,
    hash bytea NOT NULL,
    quota int,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
);
CREATE UNIQUE INDEX keys_name ON keys (name) WHERE revoked_at IS NULL;

-- The combats of each key. A row is written before its combat, so it may have none: then it counts
-- for a minute, and goes.
CREATE TABLE key_combats (
    combat_id uuid PRIMARY KEY,
    key_id text NOT NULL REFERENCES keys,
    claimed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX key_combats_of_key ON key_combats (key_id);
