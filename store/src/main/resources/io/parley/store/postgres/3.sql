-- Each schema is a store of its own, and announces its commits by its name; that of the first is what it was.
CREATE OR REPLACE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_notify(TG_TABLE_SCHEMA || '_history', ''); RETURN NULL; END $$;
