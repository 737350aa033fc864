-- Numbers that are given once, such as those of sites: a token in an old text must not become another
-- site's value.
CREATE TABLE field_counters (
  name TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE field_sites (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 40),
  number INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- Addresses that are routed globally: covered, or kept as they are.
  covers_public INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  -- One more with each change of the row.
  version INTEGER NOT NULL DEFAULT 1,
  -- One more with each write of the vault.
  vault_revision INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE field_vault (
  site TEXT NOT NULL REFERENCES field_sites (id),
  class TEXT NOT NULL,
  -- Keyed hash of the value: equality without decryption.
  hash TEXT NOT NULL,
  token TEXT NOT NULL,
  -- Encrypted by the caller, for this site, class and token.
  sealed BLOB NOT NULL,
  -- The write of the vault that brought it, or changed it last.
  revision INTEGER NOT NULL,
  first_seen_ms INTEGER NOT NULL,
  last_seen_ms INTEGER NOT NULL,
  PRIMARY KEY (site, class, hash)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX field_vault_by_token ON field_vault (site, token);
CREATE INDEX field_vault_by_revision ON field_vault (site, revision);

-- Each time that somebody saw real values. It outlives the site.
CREATE TABLE field_looks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  person TEXT NOT NULL,
  site TEXT NOT NULL,
  -- The page or text that the values stood in, such as the identifier of a bundle.
  place TEXT NOT NULL,
  shown INTEGER NOT NULL
) STRICT;
CREATE INDEX field_looks_by_site ON field_looks (site, id);

-- Acts of administration. It outlives what it is about.
CREATE TABLE field_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  -- A user's identifier, a device's, or 'server'.
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX field_history_by_subject ON field_history (subject, id);

CREATE TRIGGER field_looks_are_not_changed BEFORE UPDATE ON field_looks
BEGIN
  SELECT RAISE(ABORT, 'looks are append-only');
END;
CREATE TRIGGER field_looks_are_not_deleted BEFORE DELETE ON field_looks
BEGIN
  SELECT RAISE(ABORT, 'looks are append-only');
END;
CREATE TRIGGER field_history_is_not_changed BEFORE UPDATE ON field_history
BEGIN
  SELECT RAISE(ABORT, 'history is append-only');
END;
CREATE TRIGGER field_history_is_not_deleted BEFORE DELETE ON field_history
BEGIN
  SELECT RAISE(ABORT, 'history is append-only');
END;
