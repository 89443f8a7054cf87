-- `taken`: calls that the address has taken; an address that has taken none is not trusted with many
-- slots. `previous_secret` signs calls beside `secret` until `previous_until`.
ALTER TABLE webhooks
    ADD COLUMN taken bigint NOT NULL DEFAULT 0,
    ADD COLUMN previous_secret bytea,
    ADD COLUMN previous_until timestamptz;
