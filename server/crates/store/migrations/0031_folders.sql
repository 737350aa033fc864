-- The folder of a conversation in its person's list. A folder is there as long as something is in it.
ALTER TABLE conversations ADD COLUMN folder TEXT;

CREATE INDEX conversations_in_folder ON conversations (owner, folder, updated DESC) WHERE folder IS NOT NULL;
