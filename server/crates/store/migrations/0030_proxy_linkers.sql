-- Which admin allowed the reverse proxy to sign a user in or ended that, and when: for a day the two
-- accounts may be one person's.
CREATE TABLE proxy_linkers (
    user TEXT NOT NULL,
    made_by TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (user, made_by)
) STRICT;
