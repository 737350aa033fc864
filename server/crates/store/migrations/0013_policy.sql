-- What admins have changed at run time, kind by kind: every version, so that each can be gone back
-- to. The newest is in force.
CREATE TABLE settings (
    -- policy or model.
    kind    TEXT    NOT NULL,
    -- Dense, from 1.
    version INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    -- The name of the admin.
    person  TEXT    NOT NULL,
    -- JSON.
    body    TEXT    NOT NULL,
    PRIMARY KEY (kind, version)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER settings_are_not_changed BEFORE UPDATE ON settings
BEGIN
    SELECT RAISE(ABORT, 'settings are append-only');
END;

CREATE TRIGGER settings_are_not_deleted BEFORE DELETE ON settings
BEGIN
    SELECT RAISE(ABORT, 'settings are append-only');
END;

-- The whole card, as JSON, of a question that another person than the conversation's user has to
-- answer; null for all others.
ALTER TABLE confirmations ADD COLUMN card TEXT;
