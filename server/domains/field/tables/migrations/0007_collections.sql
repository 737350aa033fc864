-- Diagnostics that were asked for: at most one bundle for each call.
CREATE TABLE field_collections (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The call that asked: once more, it asks for no other.
  call TEXT NOT NULL UNIQUE,
  device TEXT NOT NULL REFERENCES field_devices (id),
  -- Given to the device as its request for the bundle.
  request TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('asked', 'taken', 'complete', 'not_delivered', 'failed')),
  asked_ms INTEGER NOT NULL,
  asked_by TEXT NOT NULL,
  -- Until then the device may take it.
  until_ms INTEGER NOT NULL,
  -- Without a whole bundle by then, it has failed.
  deadline_ms INTEGER NOT NULL,
  bundle TEXT,
  -- One more with each change.
  revision INTEGER NOT NULL DEFAULT 1,
  UNIQUE (device, request),
  CHECK ((bundle IS NOT NULL) = (state = 'complete'))
) STRICT;
CREATE INDEX field_collections_open ON field_collections (device, number) WHERE state IN ('asked', 'taken');

CREATE TRIGGER field_collections_change_state_as_allowed BEFORE UPDATE OF state ON field_collections
WHEN OLD.state <> NEW.state AND (OLD.state || ' ' || NEW.state) NOT IN (
  'asked taken', 'asked complete', 'asked not_delivered', 'taken complete', 'taken failed'
)
BEGIN
  SELECT RAISE(ABORT, 'a collection cannot change its state like that');
END;

-- The site that a conversation is about: values of two sites never meet in one. It outlives the site, so
-- that the conversation does not become another one's.
CREATE TABLE field_conversation_sites (
  conversation TEXT PRIMARY KEY,
  site TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- JSON, covered: what people and the model read about a job beside its package, such as its title.
ALTER TABLE field_jobs ADD COLUMN about TEXT NOT NULL DEFAULT '{}';
