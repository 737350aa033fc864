-- argon2id in its usual text form; null for who signs in by links only.
ALTER TABLE users ADD COLUMN password TEXT;

-- How, from where and with what a session began.
ALTER TABLE sessions ADD COLUMN by_link INTEGER NOT NULL DEFAULT 1;
ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN browser TEXT;

CREATE INDEX sessions_of_user ON sessions (user);
