-- The last switch of each lamp.
CREATE TABLE lamp_switches (
  lamp TEXT PRIMARY KEY NOT NULL,
  is_on INTEGER NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
