-- The documents that calls have made, for a while.
CREATE TABLE erp_made_documents (
  site TEXT NOT NULL,
  doctype TEXT NOT NULL,
  name TEXT NOT NULL,
  -- As the site writes it: a name may be given once more.
  creation TEXT NOT NULL,
  call TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (site, doctype, name, creation)
) STRICT, WITHOUT ROWID;
CREATE INDEX erp_made_documents_by_time ON erp_made_documents (at_ms);
