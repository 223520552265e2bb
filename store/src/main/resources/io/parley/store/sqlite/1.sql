CREATE TABLE resource (
  kind TEXT NOT NULL,
  space TEXT NOT NULL,
  name TEXT NOT NULL,
  revision INTEGER NOT NULL,
  weight INTEGER NOT NULL,
  form TEXT NOT NULL,
  labels TEXT NOT NULL,
  annotations TEXT NOT NULL,
  spec TEXT NOT NULL,
  status TEXT,
  owner_kind TEXT,
  owner_space TEXT,
  owner_name TEXT,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  PRIMARY KEY (kind, space, name)
);

CREATE INDEX resource_owner ON resource (owner_kind, owner_space, owner_name) WHERE owner_kind IS NOT NULL;

CREATE TABLE label (
  kind TEXT NOT NULL,
  space TEXT NOT NULL,
  name TEXT NOT NULL,
  label TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, space, name, label),
  FOREIGN KEY (kind, space, name) REFERENCES resource (kind, space, name) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE event (
  position INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL,
  kind TEXT NOT NULL,
  space TEXT NOT NULL,
  name TEXT NOT NULL,
  revision INTEGER NOT NULL,
  weight INTEGER NOT NULL,
  form TEXT,
  labels TEXT,
  annotations TEXT,
  spec TEXT,
  status TEXT,
  owner_kind TEXT,
  owner_space TEXT,
  owner_name TEXT,
  created INTEGER,
  modified INTEGER
);

CREATE INDEX event_revision ON event (revision, position);

CREATE TABLE history (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  position INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  dropped_revision INTEGER NOT NULL,
  dropped_position INTEGER NOT NULL,
  dropped_bytes INTEGER NOT NULL
);

INSERT INTO history VALUES (1, 0, 0, 0, 0, 0, 0);
