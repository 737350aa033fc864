-- Definitions of tools of other programs, as an admin has accepted them. A tool with another definition does not
-- run. One row for each tool; the system journal has every decision.
CREATE TABLE tool_definitions (
    -- The name that the configuration gives the server.
    server      TEXT    NOT NULL,
    -- The server's own name of the tool.
    tool        TEXT    NOT NULL,
    -- SHA-256 over the whole definition.
    digest      TEXT    NOT NULL,
    -- The definition, JSON.
    definition  TEXT    NOT NULL,
    -- The admin's name, and the user if it was one here.
    accepted_by TEXT    NOT NULL,
    user        TEXT,
    accepted_at INTEGER NOT NULL,
    PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID;
