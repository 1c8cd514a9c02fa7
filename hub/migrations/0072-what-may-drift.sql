-- Whether some device ever said of a product how it is launched or what it may do, so that lists need not ask all of them.
-- Null: not yet looked at by the job, or written by a release that does not know this.
ALTER TABLE products ADD COLUMN may_drift boolean;
CREATE INDEX products_unlooked ON products (tenant_id, entity_id) WHERE may_drift IS NULL;
