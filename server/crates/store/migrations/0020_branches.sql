-- Branches: conversations that go on from a copy of another one's history. All of them share the
-- identifier of the first one; null for a conversation without branches.
ALTER TABLE conversations ADD COLUMN family TEXT;
-- Another branch stands for the family in the list.
ALTER TABLE conversations ADD COLUMN behind INTEGER NOT NULL DEFAULT 0;
-- The conversation that it left, the number of the event there in whose place its own first turn
-- stands, and the number of that turn's event.
ALTER TABLE conversations ADD COLUMN parent TEXT;
ALTER TABLE conversations ADD COLUMN leaves INTEGER;
ALTER TABLE conversations ADD COLUMN begins INTEGER;

CREATE INDEX conversations_of_family ON conversations (family) WHERE family IS NOT NULL;
