-- A product groups applications over platforms and sources. An application is a row of "products": one for each kind,
-- source and identity on a platform. "product_rules" is the version of the rules that identified its product; 0 means that
-- they have to be applied anew. "is_grouped" is false while the counts of its product are to be recounted.
ALTER TABLE products ADD COLUMN product_id bytea;
ALTER TABLE products ADD COLUMN product_key text;
ALTER TABLE products ADD COLUMN product_rules integer NOT NULL DEFAULT 0;
ALTER TABLE products ADD COLUMN is_grouped boolean NOT NULL DEFAULT false;
ALTER TABLE products ADD COLUMN risk_hints text[] NOT NULL DEFAULT '{}';
CREATE INDEX products_by_product ON products (tenant_id, product_id);
CREATE INDEX products_by_rules ON products (product_rules, tenant_id, entity_id);
CREATE INDEX products_ungrouped ON products (tenant_id, entity_id) WHERE NOT is_grouped;

-- Counts of a product over its applications that a device has. A job recounts them within seconds of a change;
-- "is_counted" is false until it has.
CREATE TABLE inventory_products (
  tenant_id uuid NOT NULL,
  product_id bytea NOT NULL,
  product_key text NOT NULL,
  category text NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  vendor text,
  sources text[] NOT NULL,
  risk_hints text[] NOT NULL,
  application_count integer NOT NULL,
  device_count integer NOT NULL,
  user_count integer NOT NULL,
  linux_devices integer NOT NULL,
  darwin_devices integer NOT NULL,
  win32_devices integer NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  is_counted boolean NOT NULL DEFAULT false,
  is_searchable boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, product_id)
);
CREATE INDEX inventory_products_uncounted ON inventory_products (tenant_id, product_id) WHERE NOT is_counted;
CREATE INDEX inventory_products_by_name ON inventory_products (tenant_id, category, name_folded, product_id);
CREATE INDEX inventory_products_by_devices
  ON inventory_products (tenant_id, category, device_count DESC, product_id);
CREATE INDEX inventory_products_unsearchable ON inventory_products (tenant_id) WHERE NOT is_searchable;

-- A policy for a product, on all platforms or on one. It owns one override for each application that it covers.
CREATE TABLE product_policies (
  tenant_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  version integer NOT NULL,
  deleted boolean NOT NULL DEFAULT false,
  product_id bytea NOT NULL,
  product_name text NOT NULL,
  -- Null: all platforms.
  platform text,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  approval_status text NOT NULL,
  execution_policy text NOT NULL,
  severity text NOT NULL,
  reason text,
  effective_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  PRIMARY KEY (tenant_id, policy_id)
);
CREATE INDEX product_policies_by_product ON product_policies (tenant_id, product_id) WHERE NOT deleted;
CREATE INDEX product_policies_by_creation
  ON product_policies (tenant_id, created_at DESC, policy_id) WHERE NOT deleted;

ALTER TABLE overrides ADD COLUMN product_policy_id uuid;
CREATE INDEX overrides_by_product_policy ON overrides (tenant_id, product_policy_id)
  WHERE product_policy_id IS NOT NULL AND NOT deleted;
