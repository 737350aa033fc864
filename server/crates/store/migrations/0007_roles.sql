-- What a user may do: viewer, operator or admin. Who was there before is the admin.
ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'viewer';
-- Since when a user may not sign in any more.
ALTER TABLE users ADD COLUMN disabled INTEGER;

UPDATE users SET role = 'admin';

-- People sign in by name.
CREATE UNIQUE INDEX users_of_name ON users (name COLLATE NOCASE);
