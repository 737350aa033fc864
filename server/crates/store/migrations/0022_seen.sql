-- The number of the newest event that its person should see: the end of a turn, or a question to
-- decide; and the newest that the person has seen. What is there already counts as seen.
ALTER TABLE conversations ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
