-- What was decided and done, and by whom: a chain of hashes, kept when conversations are deleted.
-- `src/audit.rs` says what is hashed.
CREATE TABLE audit (
    -- Dense, from 1.
    seq          INTEGER PRIMARY KEY,
    at           INTEGER NOT NULL,
    -- The event's type word.
    kind         TEXT    NOT NULL,
    -- The id alone: the conversation may be gone.
    conversation TEXT,
    -- Who did it: a person's name, or the id of who signed in or out.
    person       TEXT,
    -- {"event": …, "detail": …}, exactly as hashed.
    body         TEXT    NOT NULL,
    -- The hash of the row before; 32 zeros for the first.
    prev         BLOB    NOT NULL,
    hash         BLOB    NOT NULL
) STRICT;

CREATE TRIGGER audit_is_dense BEFORE INSERT ON audit
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit)
BEGIN
    SELECT RAISE(ABORT, 'the audit chain grows at its end');
END;

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit chain is append-only');
END;

CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit chain is append-only');
END;
