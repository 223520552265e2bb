CREATE TABLE resource (
  kind TEXT COLLATE "C" NOT NULL,
  space TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  weight BIGINT NOT NULL,
  form TEXT NOT NULL,
  labels TEXT NOT NULL,
  annotations TEXT NOT NULL,
  spec TEXT NOT NULL,
  status TEXT,
  owner_kind TEXT COLLATE "C",
  owner_space TEXT COLLATE "C",
  owner_name TEXT COLLATE "C",
  created BIGINT NOT NULL,
  modified BIGINT NOT NULL,
  PRIMARY KEY (kind, space, name)
);

CREATE INDEX resource_owner ON resource (owner_kind, owner_space, owner_name) WHERE owner_kind IS NOT NULL;

CREATE TABLE label (
  kind TEXT COLLATE "C" NOT NULL,
  space TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  label TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  FOREIGN KEY (kind, space, name) REFERENCES resource (kind, space, name) ON DELETE CASCADE
);

-- Not unique by label: longest names together would be more than an index row may hold.
CREATE INDEX label_resource ON label (kind, space, name);

CREATE TABLE event (
  position BIGINT PRIMARY KEY,
  bytes BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  space TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  weight BIGINT NOT NULL,
  form TEXT,
  labels TEXT,
  annotations TEXT,
  spec TEXT,
  status TEXT,
  owner_kind TEXT COLLATE "C",
  owner_space TEXT COLLATE "C",
  owner_name TEXT COLLATE "C",
  created BIGINT,
  modified BIGINT
);

CREATE INDEX event_revision ON event (revision, position);

CREATE TABLE history (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  revision BIGINT NOT NULL,
  position BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  dropped_revision BIGINT NOT NULL,
  dropped_position BIGINT NOT NULL,
  dropped_bytes BIGINT NOT NULL
);

INSERT INTO history VALUES (1, 0, 0, 0, 0, 0, 0);

CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  expires TIMESTAMPTZ NOT NULL
);

CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_notify('parley_history', ''); RETURN NULL; END $$;

CREATE TRIGGER announce AFTER UPDATE OF revision ON history FOR EACH STATEMENT EXECUTE FUNCTION announce();
