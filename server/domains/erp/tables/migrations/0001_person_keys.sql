-- The last change of each person's own key for a site.
CREATE TABLE erp_person_keys (
  person TEXT NOT NULL,
  site TEXT NOT NULL,
  changed_ms INTEGER NOT NULL,
  -- Encrypted JSON; null if the key was removed.
  sealed BLOB,
  PRIMARY KEY (person, site)
) STRICT, WITHOUT ROWID;
