-- A token is a random secret from now on, and only its SHA-256 is kept. Until now tokens were signed
-- with a key that lay in the database: whoever had a copy could make one. They stay in the list of
-- their user without a hash, and open nothing; the key goes.
ALTER TABLE api_tokens ADD COLUMN hash BLOB;
CREATE UNIQUE INDEX api_tokens_of_hash ON api_tokens (hash);
ALTER TABLE api_tokens DROP COLUMN signed;
DROP TABLE signing_keys;

-- Whether the token may decide on cards that take one press. A right of its own: off unless its
-- user asked for it.
ALTER TABLE api_tokens ADD COLUMN decides INTEGER NOT NULL DEFAULT 0;
