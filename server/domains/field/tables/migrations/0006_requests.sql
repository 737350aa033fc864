-- Requests of programs with a key of their own, so that one that is repeated is not carried out twice.
CREATE TABLE field_requests (
  -- The token or user that asks: keys of two do not meet.
  program TEXT NOT NULL,
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  -- SHA-256 of the request.
  digest TEXT NOT NULL,
  begun_ms INTEGER NOT NULL,
  -- Until then it counts as under way.
  held_until_ms INTEGER NOT NULL,
  -- One more each time that it is begun.
  attempt INTEGER NOT NULL DEFAULT 1,
  -- None while it is under way.
  status INTEGER,
  answer BLOB,
  PRIMARY KEY (program, key),
  CHECK ((status IS NULL) = (answer IS NULL))
) STRICT;
CREATE INDEX field_requests_by_time ON field_requests (begun_ms);
