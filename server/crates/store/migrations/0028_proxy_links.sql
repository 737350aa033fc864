-- Which admin made an account; null if none did, and for accounts from before.
ALTER TABLE users ADD COLUMN made_by TEXT;

-- Whether the reverse proxy may sign the user in, and when it last did.
ALTER TABLE users ADD COLUMN proxy INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN proxy_seen INTEGER;

-- Accounts that the proxy made are its own; others an admin links.
UPDATE users SET proxy = 1, proxy_seen = CAST(strftime('%s', 'now') AS INTEGER) * 1000
WHERE id IN (
    SELECT json_extract(body, '$.user') FROM system_events
    WHERE json_extract(body, '$.type') = 'user_added'
      AND json_extract(body, '$.by') = 'the reverse proxy'
);
