CREATE TABLE field_jobs (
  -- Order in the queue.
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 40),
  -- The call that asked for it: once more, it queues no other.
  call TEXT NOT NULL UNIQUE,
  site TEXT NOT NULL REFERENCES field_sites (id),
  device TEXT NOT NULL REFERENCES field_devices (id),
  proposal TEXT,
  proposal_version INTEGER,
  signing_key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  -- SHA-256 of the payload: the same script has the same.
  payload_digest TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN (
    'queued', 'claimed', 'running', 'ended', 'cut', 'refused', 'not_delivered', 'cancelled', 'unknown'
  )),
  -- One more each time that a claim is lost.
  epoch INTEGER NOT NULL DEFAULT 1,
  queued_ms INTEGER NOT NULL,
  claim_until_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  claim_request TEXT,
  claim_hash BLOB,
  claimed_ms INTEGER,
  lease_until_ms INTEGER,
  start_nonce TEXT,
  started_ms INTEGER,
  -- Without a result by then, the outcome is unknown.
  deadline_ms INTEGER,
  cancel_asked_ms INTEGER,
  cancel_asked_by TEXT,
  ended_ms INTEGER,
  -- JSON: how it ended, as the device or the server says.
  ending TEXT,
  -- What the device reported after the job was over, kept beside its state.
  late_ms INTEGER,
  late_state TEXT CHECK (late_state IN ('ended', 'cut', 'refused')),
  late_ending TEXT,
  -- What a person found out about an unknown outcome.
  resolution TEXT CHECK (resolution IN ('ran', 'did_not_run', 'cannot_tell')),
  resolved_by TEXT,
  resolved_ms INTEGER,
  -- The time at which something changes, if nobody does anything.
  due_ms INTEGER GENERATED ALWAYS AS (
    CASE state
      WHEN 'queued' THEN min(claim_until_ms, expires_ms)
      WHEN 'claimed' THEN lease_until_ms
      WHEN 'running' THEN deadline_ms
    END
  ) VIRTUAL,
  UNIQUE (device, signing_key, seq),
  CHECK (state <> 'queued' OR (claim_hash IS NULL AND claim_request IS NULL AND lease_until_ms IS NULL)),
  CHECK (state NOT IN ('claimed', 'running') OR (claim_hash IS NOT NULL AND lease_until_ms IS NOT NULL)),
  -- The server said go exactly in these.
  CHECK (state NOT IN ('queued', 'claimed', 'not_delivered', 'cancelled') OR start_nonce IS NULL),
  CHECK (state NOT IN ('running', 'ended', 'cut')
    OR (start_nonce IS NOT NULL AND started_ms IS NOT NULL AND deadline_ms IS NOT NULL)),
  CHECK ((ended_ms IS NULL) = (state IN ('queued', 'claimed', 'running')))
) STRICT;
-- A second job never displaces the first.
CREATE UNIQUE INDEX field_jobs_one_at_a_time ON field_jobs (device) WHERE state IN ('claimed', 'running');
CREATE INDEX field_jobs_by_device ON field_jobs (device, number);
CREATE INDEX field_jobs_by_site ON field_jobs (site, number);
CREATE INDEX field_jobs_open ON field_jobs (device, number) WHERE ended_ms IS NULL;
CREATE INDEX field_jobs_by_due ON field_jobs (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX field_jobs_by_end ON field_jobs (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX field_jobs_by_payload ON field_jobs (device, payload_digest);
CREATE INDEX field_jobs_by_time ON field_jobs (device, queued_ms);
CREATE INDEX field_jobs_by_proposal ON field_jobs (proposal, number) WHERE proposal IS NOT NULL;

-- At most once: nothing leads from running to queued, and what is over stays as it was told to people.
CREATE TRIGGER field_jobs_change_state_as_allowed BEFORE UPDATE OF state ON field_jobs
WHEN OLD.state <> NEW.state AND (OLD.state || ' ' || NEW.state) NOT IN (
  'queued claimed', 'queued not_delivered', 'queued cancelled', 'queued refused',
  'claimed queued', 'claimed running', 'claimed cancelled', 'claimed refused', 'claimed unknown',
  'running ended', 'running cut', 'running unknown', 'running refused'
)
BEGIN
  SELECT RAISE(ABORT, 'a job cannot change its state like that');
END;
CREATE TRIGGER field_jobs_keep_what_was_signed
BEFORE UPDATE OF id, call, device, signing_key, seq, payload_digest, expires_ms ON field_jobs
BEGIN
  SELECT RAISE(ABORT, 'what was signed is never changed');
END;
CREATE TRIGGER field_jobs_start_once BEFORE UPDATE OF start_nonce, epoch ON field_jobs
WHEN (OLD.start_nonce IS NOT NULL AND (NEW.start_nonce IS NOT OLD.start_nonce OR NEW.epoch <> OLD.epoch))
  OR NEW.epoch < OLD.epoch
BEGIN
  SELECT RAISE(ABORT, 'a job starts once');
END;

-- Beside the jobs, which are read far more often than their packages.
CREATE TABLE field_packages (
  job TEXT PRIMARY KEY REFERENCES field_jobs (id),
  bytes BLOB NOT NULL
) STRICT;
CREATE TRIGGER field_packages_are_not_changed BEFORE UPDATE ON field_packages
BEGIN
  SELECT RAISE(ABORT, 'what was signed is never changed');
END;

-- The claims of a device, by its request: one that was lost is not given once more.
CREATE TABLE field_claims (
  device TEXT NOT NULL REFERENCES field_devices (id),
  request TEXT NOT NULL,
  job TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  PRIMARY KEY (device, request)
) STRICT, WITHOUT ROWID;
CREATE INDEX field_claims_by_job ON field_claims (job);

CREATE TABLE field_job_logs (
  job TEXT NOT NULL REFERENCES field_jobs (id),
  stream TEXT NOT NULL CHECK (stream IN ('out', 'err', 'step')),
  -- Offset of the first byte, and of the one after the last.
  start INTEGER NOT NULL,
  until INTEGER NOT NULL,
  -- Counts the chunks of the stream from 1.
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (job, stream, start),
  CHECK (until = start + length(bytes) AND until > start)
) STRICT;

-- Every change of a job, in one order for all: its number is the cursor of those who follow.
CREATE TABLE field_job_events (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  job TEXT NOT NULL,
  device TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  -- A user, the device or 'server'.
  actor TEXT NOT NULL
) STRICT;
CREATE INDEX field_job_events_by_job ON field_job_events (job, number);
CREATE TRIGGER field_job_events_are_not_changed BEFORE UPDATE ON field_job_events
BEGIN
  SELECT RAISE(ABORT, 'events of jobs are append-only');
END;

-- Jobs whose rows were removed: neither their calls nor their numbers are used again.
CREATE TABLE field_tombstones (
  job TEXT PRIMARY KEY,
  call TEXT NOT NULL UNIQUE,
  device TEXT NOT NULL,
  state TEXT NOT NULL,
  ended_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
