-- Tokens with which a device enrols: hashed, for one device, until they expire.
CREATE TABLE field_enrolments (
  hash BLOB PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  site TEXT NOT NULL REFERENCES field_sites (id),
  -- The name that the device gets.
  name TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_ms INTEGER NOT NULL,
  withdrawn_ms INTEGER,
  used_ms INTEGER,
  device TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE field_devices (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 40),
  site TEXT NOT NULL REFERENCES field_sites (id),
  name TEXT NOT NULL,
  public_key BLOB NOT NULL,
  -- Of the public key. A key belongs to one device, whatever became of the device.
  fingerprint TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'adopted', 'suspended', 'retired')),
  state_reason TEXT,
  -- JSON, as the device reports them.
  facts TEXT NOT NULL DEFAULT '{}',
  capabilities TEXT NOT NULL DEFAULT '{}',
  -- The newest root document that the device has; only upwards.
  root_version INTEGER NOT NULL DEFAULT 0,
  -- JSON array of words.
  tags TEXT NOT NULL DEFAULT '[]',
  enrolled_ms INTEGER NOT NULL,
  adopted_ms INTEGER,
  last_seen_ms INTEGER,
  -- One more with each change by a person.
  version INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
CREATE INDEX field_devices_by_site ON field_devices (site, id);

CREATE TRIGGER field_devices_change_state_as_allowed BEFORE UPDATE OF state ON field_devices
WHEN OLD.state <> NEW.state AND (OLD.state || ' ' || NEW.state) NOT IN (
  'waiting adopted', 'waiting retired', 'adopted suspended', 'adopted retired',
  'suspended adopted', 'suspended retired'
)
BEGIN
  SELECT RAISE(ABORT, 'a device cannot change its state like that');
END;

-- The last number that was used for a device, for each key that signs: with one number for all keys a
-- leaked key could count so far ahead that no other key is accepted.
CREATE TABLE field_sequences (
  device TEXT NOT NULL REFERENCES field_devices (id),
  signing_key TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (device, signing_key)
) STRICT, WITHOUT ROWID;

-- Challenges that no device has answered yet. Several of one device: whoever knows its identifier may ask
-- for one, and must not make that of the device worthless.
CREATE TABLE field_challenges (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  device TEXT NOT NULL REFERENCES field_devices (id),
  nonce TEXT NOT NULL UNIQUE,
  expires_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX field_challenges_by_device ON field_challenges (device, number);

CREATE TABLE field_sessions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  device TEXT NOT NULL REFERENCES field_devices (id),
  token_hash BLOB NOT NULL UNIQUE,
  -- The life of the runner that opened it, a random word of its own.
  instance TEXT NOT NULL,
  opened_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  -- A newer session, or a person, ended it.
  ended_ms INTEGER,
  -- It opened after another instance had taken over from the same one.
  is_return INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX field_sessions_by_device ON field_sessions (device, number);
CREATE UNIQUE INDEX field_sessions_one_open ON field_sessions (device) WHERE ended_ms IS NULL;
