-- What happened to devices, bundles, proposals and runs, in one order for all: its number is the cursor of those
-- who follow. Identifiers and words alone, so no row hides a value. Written with what it is about.
CREATE TABLE field_events (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  -- It may outlive the site and the subject.
  site TEXT NOT NULL,
  -- None for a bundle that a program or a person brought.
  device TEXT,
  subject TEXT NOT NULL CHECK (subject IN ('device', 'bundle', 'proposal', 'run')),
  id TEXT NOT NULL,
  -- Of a proposal.
  version INTEGER,
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
  CHECK ((version IS NOT NULL) = (subject = 'proposal'))
) STRICT;

CREATE TRIGGER field_events_are_not_changed BEFORE UPDATE ON field_events
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;
-- The oldest make room. Numbers are dense, so those that are there are the newest 20,000.
CREATE TRIGGER field_events_are_bounded AFTER INSERT ON field_events
BEGIN
  DELETE FROM field_events WHERE number <= NEW.number - 20000;
END;

CREATE TRIGGER field_events_of_devices AFTER INSERT ON field_history
WHEN NEW.action LIKE 'device %' OR NEW.action = 'session returned'
BEGIN
  INSERT INTO field_events (at_ms, site, device, subject, id, kind)
  SELECT NEW.at_ms, site, id, 'device', id, replace(replace(NEW.action, 'device ', ''), ' ', '_')
  FROM field_devices WHERE id = NEW.subject;
END;

CREATE TRIGGER field_events_of_new_bundles AFTER INSERT ON field_bundles
BEGIN
  INSERT INTO field_events (at_ms, site, device, subject, id, kind)
  VALUES (NEW.received_ms, NEW.site, NEW.device, 'bundle', NEW.id, 'begun');
END;
CREATE TRIGGER field_events_of_complete_bundles AFTER UPDATE OF completed_ms ON field_bundles
WHEN OLD.completed_ms IS NULL AND NEW.completed_ms IS NOT NULL
BEGIN
  INSERT INTO field_events (at_ms, site, device, subject, id, kind)
  VALUES (NEW.completed_ms, NEW.site, NEW.device, 'bundle', NEW.id, 'complete');
END;

CREATE TRIGGER field_events_of_proposals AFTER INSERT ON field_proposal_versions
BEGIN
  INSERT INTO field_events (at_ms, site, device, subject, id, version, kind)
  SELECT NEW.made_ms, site, device, 'proposal', id, NEW.version, 'proposed'
  FROM field_proposals WHERE id = NEW.proposal;
END;
-- The first check is part of the version.
CREATE TRIGGER field_events_of_checks AFTER INSERT ON field_proposal_checks
WHEN EXISTS (
  SELECT 1 FROM field_proposal_checks
  WHERE proposal = NEW.proposal AND version = NEW.version AND number < NEW.number
)
BEGIN
  INSERT INTO field_events (at_ms, site, device, subject, id, version, kind)
  SELECT NEW.at_ms, site, device, 'proposal', id, NEW.version, 'checked'
  FROM field_proposals WHERE id = NEW.proposal;
END;

CREATE TRIGGER field_events_of_runs AFTER INSERT ON field_job_events
BEGIN
  INSERT INTO field_events (at_ms, site, device, subject, id, kind)
  SELECT NEW.at_ms, site, device, 'run', id, NEW.kind FROM field_jobs WHERE id = NEW.job;
END;
