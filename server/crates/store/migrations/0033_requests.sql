-- Requests of programs that come with a key, so that one sent again has one effect and one answer. Of
-- key and request only the SHA-256 is kept. A row goes after a day.
CREATE TABLE keyed_requests (
    -- The token or, for sessions, the user.
    principal TEXT    NOT NULL,
    key       BLOB    NOT NULL,
    request   BLOB    NOT NULL,
    began     INTEGER NOT NULL,
    -- 16 bytes, of which the identifiers of what the request makes are made: also after a crash.
    seed      BLOB    NOT NULL,
    -- None until it is answered.
    status    INTEGER,
    location  TEXT,
    answer    BLOB,
    PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX keyed_requests_by_age ON keyed_requests (began);
