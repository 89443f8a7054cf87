-- The command that an answer is of: when texts are erased its body goes, and its key stays.
-- Which answers of before hold texts is not known: they all go then.
ALTER TABLE idempotency ADD COLUMN command_id uuid;
UPDATE idempotency SET command_id = '00000000-0000-0000-0000-000000000000' WHERE body <> '';
