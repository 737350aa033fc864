-- How many lamps were on, at the start of the server and after every switch.
CREATE TABLE lamp_readings (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  lit INTEGER NOT NULL
) STRICT;
