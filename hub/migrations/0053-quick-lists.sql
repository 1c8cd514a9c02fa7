-- An index for pieces of names, beside the tables and not in them: their rows are counted up with every scan, and a name
-- almost never changes. Of each text the hashes of all its runs of three letters, with the list and the tenant in them.
CREATE TABLE search_grams (
  tenant_id uuid NOT NULL,
  list text NOT NULL,
  item_id bytea NOT NULL,
  grams integer[] NOT NULL,
  PRIMARY KEY (tenant_id, list, item_id)
);
-- A job writes, a person waits.
CREATE INDEX search_grams_by_gram ON search_grams USING gin (grams) WITH (fastupdate = off);

-- What is not yet there is looked at itself: a search never depends on how far the job came, nor on which release wrote.
ALTER TABLE products ADD COLUMN is_searchable boolean NOT NULL DEFAULT false;
CREATE INDEX products_unsearchable ON products (tenant_id) WHERE NOT is_searchable;
ALTER TABLE unknown_processes ADD COLUMN is_searchable boolean NOT NULL DEFAULT false;
CREATE INDEX unknown_processes_unsearchable ON unknown_processes (tenant_id) WHERE NOT is_searchable;
ALTER TABLE members ADD COLUMN is_searchable boolean NOT NULL DEFAULT false;
CREATE INDEX members_unsearchable ON members (tenant_id) WHERE NOT is_searchable;

-- What is like an application by its publisher; packages are not alike by theirs.
CREATE INDEX products_by_publisher ON products (tenant_id, kind, lower(publisher))
  WHERE kind <> 'package';
-- The few alerts that say what went wrong with an agent, among the many of what it stopped.
CREATE INDEX alerts_with_code ON alerts (tenant_id, code, received_at DESC, alert_id)
  WHERE code IS NOT NULL;
