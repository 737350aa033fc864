-- Sections without their originals, which nothing ever wrote: docs/decisions/0041-originals-of-diagnostics.md.
-- A column in a CHECK cannot be dropped, so the table is made anew.
CREATE TABLE field_sections_covered (
  bundle TEXT NOT NULL REFERENCES field_bundles (id),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  -- Order in the bundle.
  place INTEGER NOT NULL,
  -- SHA-256 of the text before it was covered: the same section once more is the same bytes.
  digest TEXT NOT NULL,
  covered TEXT NOT NULL,
  -- JSON: occurrences by class, and what could not be read.
  counts TEXT NOT NULL,
  PRIMARY KEY (bundle, name),
  UNIQUE (bundle, place)
) STRICT;
INSERT INTO field_sections_covered (bundle, name, place, digest, covered, counts)
  SELECT bundle, name, place, digest, covered, counts FROM field_sections;
DROP TABLE field_sections;
ALTER TABLE field_sections_covered RENAME TO field_sections;
