-- Gateway nodes follow catalogs too: what a configuration names means nothing to them without.
ALTER TABLE configuration_items DROP CONSTRAINT configuration_items_kind_check;
ALTER TABLE configuration_items ADD CONSTRAINT configuration_items_kind_check CHECK (kind IN (
  'settings', 'provider', 'app', 'key', 'prompt', 'smart_group', 'custom_definition', 'category'));

UPDATE configuration_feed SET n = n + 1 WHERE one;
INSERT INTO configuration_items (tenant_id, kind, id, revision)
SELECT tenant_id, 'smart_group', group_name, (SELECT n FROM configuration_feed WHERE one)
FROM smart_groups;
INSERT INTO configuration_items (tenant_id, kind, id, revision)
SELECT tenant_id, 'custom_definition', definition_id, (SELECT n FROM configuration_feed WHERE one)
FROM custom_definitions;
INSERT INTO configuration_items (tenant_id, kind, id, revision)
SELECT tenant_id, 'category', category_id, (SELECT n FROM configuration_feed WHERE one)
FROM detection_categories;

-- Whose a device was before it was moved, and when: what it raised then is theirs when they are erased.
CREATE TABLE device_tenures (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  until timestamptz NOT NULL,
  -- Null: from the beginning.
  since timestamptz,
  subscriber_id text NOT NULL,
  PRIMARY KEY (tenant_id, device_id, until)
);
CREATE INDEX device_tenures_by_subscriber ON device_tenures (tenant_id, subscriber_id);
