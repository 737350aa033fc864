-- Jobs whose outcome nobody knows: they are shown until a person has said what was the case, however old they are.
CREATE INDEX field_jobs_unresolved ON field_jobs (number) WHERE state = 'unknown' AND resolved_ms IS NULL;
