-- Whether some device ever said of a product how it is launched or what it may do, so that lists need not ask all of them.
-- Null: not yet looked at by the job, or written by a release that does not know this.
ALTER TABLE products ADD COLUMN may_drift boolean;
CREATE INDEX products_unlooked ON products (tenant_id, entity_id) WHERE may_drift IS NULL;

-- What an approval was given for: of an approved product each way it was launched and each permission that it had on any
-- device then, or that was reviewed since, as a hash. A device that comes later is held against it.
CREATE TABLE seen_launches (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  form bytea NOT NULL,
  PRIMARY KEY (tenant_id, entity_id, form)
);
