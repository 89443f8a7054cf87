-- The last deliveries of a webhook, the newest first, as JSON. Whoever holds the claim writes them.
ALTER TABLE webhooks ADD COLUMN deliveries text NOT NULL DEFAULT '[]';
