-- The tenant management API: opt-in, keys, apps, providers, gateway keys, prompts, history, operations, catalogs.

-- The opt-in and the management keys are looked up from outside a tenant, by a key's hash: not distributed.
CREATE TABLE management_settings (
  tenant_id uuid PRIMARY KEY,
  enabled boolean NOT NULL,
  version int NOT NULL
);

CREATE TABLE management_keys (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  secret_hash bytea NOT NULL UNIQUE,
  fingerprint text NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_from text,
  version int NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, key_id)
);
CREATE INDEX management_keys_by_age ON management_keys (tenant_id, created_at, key_id);

-- One row for the installation: gateway nodes of all tenants follow its numbers in commit order. Not distributed.
CREATE TABLE configuration_feed (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  n bigint NOT NULL
);
INSERT INTO configuration_feed (n) VALUES (0);

-- What a gateway node must know, and the number of its last change.
CREATE TABLE configuration_items (
  tenant_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('settings', 'provider', 'app', 'key', 'prompt')),
  id text NOT NULL COLLATE "C",
  revision bigint NOT NULL,
  deleted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, kind, id)
);
CREATE INDEX configuration_items_by_revision ON configuration_items (revision, tenant_id, kind, id);
CREATE INDEX configuration_items_by_tenant ON configuration_items (tenant_id, revision, kind, id);

-- A list's membership has a number; a cursor of before is refused.
CREATE TABLE collection_versions (
  tenant_id uuid NOT NULL,
  collection text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (tenant_id, collection)
);

CREATE TABLE providers (
  tenant_id uuid NOT NULL,
  label text NOT NULL COLLATE "C",
  provider_name text NOT NULL,
  enabled boolean NOT NULL,
  settings jsonb NOT NULL,
  -- The secrets among the settings, as one sealed JSON document; null without any.
  sealed_settings text,
  selected_models jsonb NOT NULL,
  model_costs jsonb NOT NULL,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, label)
);

CREATE TABLE apps (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL COLLATE "C",
  -- Of an app that the operator brought along; those stand outside the rule of one name.
  import_id text,
  mode text NOT NULL CHECK (mode IN ('gateway', 'sdk', 'vendorB_studio')),
  enabled boolean NOT NULL,
  provider_labels jsonb NOT NULL,
  tags jsonb NOT NULL,
  config jsonb NOT NULL,
  -- Webhook URLs by webhook id, as one sealed JSON document; null without any.
  sealed_urls text,
  -- Of a legacy app: its own providers, public part and sealed credentials.
  inline_providers jsonb,
  sealed_inline text,
  -- What the configuration was when policy authority took hold, and the models that it allows by default.
  policy_baseline jsonb,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, app_id)
);
CREATE UNIQUE INDEX apps_name ON apps (tenant_id, name_folded) WHERE import_id IS NULL;
CREATE UNIQUE INDEX apps_import ON apps (tenant_id, import_id) WHERE import_id IS NOT NULL;
CREATE INDEX apps_by_name ON apps (tenant_id, name_folded, app_id);

CREATE TABLE app_keys (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  key_id uuid NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL COLLATE "C",
  secret_hash bytea NOT NULL,
  sealed_secret text NOT NULL,
  fingerprint text NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_from text,
  version int NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, key_id)
);
CREATE UNIQUE INDEX app_keys_name ON app_keys (tenant_id, app_id, name_folded)
  WHERE revoked_at IS NULL;
CREATE INDEX app_keys_by_age ON app_keys (tenant_id, app_id, created_at, key_id);

CREATE TABLE prompts (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  prompt_id text NOT NULL COLLATE "C",
  content text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, app_id, prompt_id)
);

CREATE TABLE app_versions (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  -- The app's version that the change made.
  app_version int NOT NULL,
  version_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  actor jsonb NOT NULL,
  operation text NOT NULL,
  changed jsonb NOT NULL,
  previous_config jsonb NOT NULL,
  new_config jsonb NOT NULL,
  PRIMARY KEY (tenant_id, app_id, app_version)
);
CREATE UNIQUE INDEX app_versions_by_id ON app_versions (tenant_id, version_id);

-- What a configuration write meant to do, written before it is done.
CREATE TABLE operations (
  tenant_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  principal text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'completed', 'failed', 'superseded')),
  app_id uuid,
  request_id text NOT NULL,
  -- The request, sealed, while it may have to be carried out again; null once it ended.
  sealed_input text,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, operation_id)
);
CREATE INDEX operations_by_age ON operations (created_at);

CREATE TABLE idempotency_keys (
  tenant_id uuid NOT NULL,
  principal text NOT NULL,
  operation text NOT NULL,
  key_hash bytea NOT NULL,
  fingerprint bytea NOT NULL,
  operation_id uuid NOT NULL,
  -- Who holds the claim; a repeat after the lease takes it over under a new one.
  holder uuid NOT NULL,
  lease_until timestamptz NOT NULL,
  -- Of a finished creation: its answer, sealed because it may hold a secret, erased after a day.
  status int,
  sealed_answer text,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  PRIMARY KEY (tenant_id, principal, operation, key_hash)
);
CREATE INDEX idempotency_keys_finished ON idempotency_keys (finished_at)
  WHERE sealed_answer IS NOT NULL;

CREATE TABLE smart_groups (
  tenant_id uuid NOT NULL,
  group_name text NOT NULL COLLATE "C",
  doc jsonb NOT NULL,
  PRIMARY KEY (tenant_id, group_name)
);
CREATE TABLE custom_definitions (
  tenant_id uuid NOT NULL,
  definition_id text NOT NULL COLLATE "C",
  doc jsonb NOT NULL,
  PRIMARY KEY (tenant_id, definition_id)
);
-- What an import adds to the built-in detection categories; one that is named there replaces the built-in one.
CREATE TABLE detection_categories (
  tenant_id uuid NOT NULL,
  category_id text NOT NULL COLLATE "C",
  doc jsonb NOT NULL,
  PRIMARY KEY (tenant_id, category_id)
);
CREATE TABLE policy_authority (
  tenant_id uuid PRIMARY KEY,
  enabled boolean NOT NULL,
  active_revision text,
  active_checksum text
);

-- The management API shows its own part of the trail.
ALTER TABLE audit_events ADD COLUMN management boolean NOT NULL DEFAULT false;
CREATE INDEX audit_events_of_management ON audit_events (tenant_id, at DESC, event_id DESC)
  WHERE management;

-- Gateway nodes. Their tokens may be for all tenants: looked up from outside a tenant, not distributed.
CREATE TABLE node_tokens (
  token_id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  -- Null: serves all tenants.
  tenant_id uuid,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
-- What was handed to which node, apart from the tenants' audit.
CREATE TABLE node_deliveries (
  delivery_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  revision bigint NOT NULL,
  items int NOT NULL,
  credentials int NOT NULL
);
CREATE INDEX node_deliveries_by_age ON node_deliveries (at);
