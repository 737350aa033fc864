-- Documents that calls were about to send, until it is known what became of them.
CREATE TABLE erp_open_drafts (
  site TEXT NOT NULL,
  doctype TEXT NOT NULL,
  call TEXT NOT NULL,
  -- The site's user.
  owner TEXT NOT NULL,
  -- By the site's clock.
  since_ms INTEGER NOT NULL,
  -- JSON of the toolset.
  content TEXT NOT NULL,
  PRIMARY KEY (site, doctype, call)
) STRICT, WITHOUT ROWID;
CREATE INDEX erp_open_drafts_by_time ON erp_open_drafts (since_ms);
