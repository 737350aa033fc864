-- A quantity of a node, guest or storage. The texts come from outside and are short.
CREATE TABLE homelab_metrics (
  id INTEGER PRIMARY KEY,
  -- 1 for those of the simulated cluster.
  simulated INTEGER NOT NULL,
  subject TEXT NOT NULL,
  quantity TEXT NOT NULL,
  -- The newest step with a mean, counted from 1970.
  newest INTEGER NOT NULL,
  UNIQUE (simulated, subject, quantity)
) STRICT;

-- The mean of a metric over a step. `slot` is the step modulo the length of the ring: the means of a step are
-- neighbours, and replace those of one lap before.
CREATE TABLE homelab_means (
  slot INTEGER NOT NULL,
  metric INTEGER NOT NULL,
  step INTEGER NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (slot, metric)
) STRICT, WITHOUT ROWID;
