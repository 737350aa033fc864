CREATE TABLE field_proposals (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 40),
  site TEXT NOT NULL REFERENCES field_sites (id),
  device TEXT NOT NULL REFERENCES field_devices (id),
  title TEXT NOT NULL,
  -- The newest version.
  head INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX field_proposals_by_device ON field_proposals (device, number);
CREATE INDEX field_proposals_by_site ON field_proposals (site, number);

CREATE TABLE field_proposal_versions (
  proposal TEXT NOT NULL REFERENCES field_proposals (id),
  version INTEGER NOT NULL,
  -- The call or request that made it: once more, it makes no other.
  cause TEXT NOT NULL UNIQUE,
  form TEXT NOT NULL CHECK (form IN ('steps', 'sh')),
  -- Steps as JSON, or the text.
  content TEXT NOT NULL,
  rendering TEXT NOT NULL,
  -- JSON: why it is proposed, what is expected.
  reasons TEXT NOT NULL,
  -- A user, or the model.
  made_by TEXT NOT NULL,
  -- JSON: conversation, bundle, version that it was made from.
  made_from TEXT NOT NULL,
  made_ms INTEGER NOT NULL,
  PRIMARY KEY (proposal, version)
) STRICT;

-- What the policy said about a version, each time that it was asked.
CREATE TABLE field_proposal_checks (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  proposal TEXT NOT NULL,
  version INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  policy_version TEXT NOT NULL,
  -- JSON: level and reasons.
  risk TEXT NOT NULL,
  FOREIGN KEY (proposal, version) REFERENCES field_proposal_versions (proposal, version)
) STRICT;
CREATE INDEX field_proposal_checks_by_version ON field_proposal_checks (proposal, version, number);

CREATE TRIGGER field_proposal_versions_are_not_changed BEFORE UPDATE ON field_proposal_versions
BEGIN
  SELECT RAISE(ABORT, 'a version of a proposal is never changed');
END;
