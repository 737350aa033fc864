-- Diagnostics that were taken at one time.
CREATE TABLE field_bundles (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 40),
  site TEXT NOT NULL REFERENCES field_sites (id),
  -- None if a program or a person brought it.
  device TEXT REFERENCES field_devices (id),
  -- Who brought it: a device, a token of a program, a user.
  source TEXT NOT NULL,
  -- By the clock of the device; none if it does not say.
  taken_ms INTEGER,
  received_ms INTEGER NOT NULL,
  -- None while sections may still come.
  completed_ms INTEGER
) STRICT;
CREATE INDEX field_bundles_by_site ON field_bundles (site, number);
CREATE INDEX field_bundles_by_device ON field_bundles (device, number);
CREATE INDEX field_bundles_by_time ON field_bundles (received_ms);

CREATE TABLE field_sections (
  bundle TEXT NOT NULL REFERENCES field_bundles (id),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  -- Order in the bundle.
  place INTEGER NOT NULL,
  -- SHA-256 of the text before it was covered: the same section once more is the same bytes.
  digest TEXT NOT NULL,
  covered TEXT NOT NULL,
  -- JSON: occurrences by class, and what could not be read.
  counts TEXT NOT NULL,
  -- Encrypted by the caller; none if originals are not kept, or no longer.
  original BLOB,
  original_until_ms INTEGER,
  PRIMARY KEY (bundle, name),
  UNIQUE (bundle, place),
  CHECK ((original IS NULL) = (original_until_ms IS NULL))
) STRICT;
CREATE INDEX field_sections_with_original ON field_sections (original_until_ms)
  WHERE original_until_ms IS NOT NULL;
