-- Keys with which the server signs, made when they are first needed.
CREATE TABLE signing_keys (
    name    TEXT    PRIMARY KEY NOT NULL,
    key     BLOB    NOT NULL,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Tokens are signed from now on: nothing secret of them is kept. Those before were random secrets;
-- they stay in the list of their user, and are not good any more.
CREATE TABLE signed_tokens (
    id       TEXT    PRIMARY KEY NOT NULL,
    user     TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name     TEXT    NOT NULL,
    -- The most that it is good for; the user's role counts too.
    role     TEXT    NOT NULL,
    -- A JSON array of the toolsets that it reaches; null for all.
    toolsets TEXT,
    signed   INTEGER NOT NULL DEFAULT 1,
    created  INTEGER NOT NULL,
    expires  INTEGER NOT NULL,
    seen     INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO signed_tokens (id, user, name, role, signed, created, expires, seen)
    SELECT id, user, name, role, 0, created, expires, seen FROM api_tokens;
DROP TABLE api_tokens;
ALTER TABLE signed_tokens RENAME TO api_tokens;
CREATE INDEX api_tokens_of_user ON api_tokens (user);

-- How a session began: link, password, passkey, both, proxy.
ALTER TABLE sessions ADD COLUMN how TEXT NOT NULL DEFAULT 'link';
UPDATE sessions SET how = 'password' WHERE by_link = 0;
ALTER TABLE sessions DROP COLUMN by_link;

-- Public keys of passkeys, as JSON of the library that checks them.
CREATE TABLE passkeys (
    -- The credential's id, in hexadecimal.
    id      TEXT    PRIMARY KEY NOT NULL,
    user    TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name    TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    created INTEGER NOT NULL,
    seen    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_of_user ON passkeys (user);

-- Whether a password alone does not sign the user in.
ALTER TABLE users ADD COLUMN second_factor INTEGER NOT NULL DEFAULT 0;
