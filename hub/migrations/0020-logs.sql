-- Logs of the gateways: LLM requests and MCP tool calls, in daily partitions by their own timestamps.

-- What a tenant keeps of its logs; without a row everything for 15 days.
CREATE TABLE log_settings (
  tenant_id uuid NOT NULL PRIMARY KEY,
  store_payloads boolean NOT NULL,
  retention_days int NOT NULL CHECK (retention_days BETWEEN 1 AND 15),
  version int NOT NULL DEFAULT 1
);

CREATE TABLE llm_requests (
  tenant_id uuid NOT NULL,
  -- Cut to milliseconds.
  at timestamptz NOT NULL,
  request_id text NOT NULL COLLATE "C",
  -- Null where the hub knew no such app.
  app_id uuid,
  app_name text NOT NULL,
  -- Folded, as the gateway said it, and as the request's own data said it.
  user_email text,
  extra_email text,
  conversation_id text,
  model text,
  provider text,
  status_code int,
  is_failed boolean NOT NULL,
  is_blocked boolean NOT NULL,
  is_anonymized boolean NOT NULL,
  -- What the guardrails found, as bits (features/logs/rows/findings.ts); the identifiers below; null without any.
  findings int NOT NULL,
  categories text[],
  tokens_request bigint,
  tokens_response bigint,
  tokens_cache_read bigint NOT NULL,
  -- In US dollars by the prices of when it arrived; null where none was known.
  cost_usd double precision,
  received_at timestamptz NOT NULL,
  redaction_version smallint NOT NULL,
  event_bytes int NOT NULL,
  -- The exported event without type, schema_version and cursor, as JSON text.
  event text NOT NULL,
  PRIMARY KEY (tenant_id, at, request_id)
) PARTITION BY RANGE (at);
CREATE INDEX llm_requests_by_app ON llm_requests (tenant_id, app_id, at, request_id);

-- What makes a request be stored once, over all days. The id is known by 16 bytes of its SHA-256.
CREATE TABLE llm_request_ids (
  tenant_id uuid NOT NULL,
  id_hash uuid NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id_hash)
);
CREATE INDEX llm_request_ids_by_time ON llm_request_ids USING brin (at);

CREATE TABLE mcp_backends (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  slug text NOT NULL COLLATE "C",
  name text NOT NULL,
  name_folded text NOT NULL COLLATE "C",
  url text NOT NULL,
  auth jsonb NOT NULL,
  disabled_at timestamptz,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, backend_id)
);
CREATE UNIQUE INDEX mcp_backends_slug ON mcp_backends (tenant_id, slug);

CREATE SEQUENCE mcp_tool_call_log_ids;
CREATE TABLE mcp_tool_calls (
  tenant_id uuid NOT NULL,
  -- When it started, with microseconds.
  at timestamptz NOT NULL,
  log_id bigint NOT NULL,
  event_id uuid NOT NULL,
  backend_id uuid,
  backend_name text NOT NULL,
  user_email text,
  extra_email text,
  conversation_id text,
  rpc_id text,
  tool_name text,
  is_blocked boolean NOT NULL,
  is_completed boolean NOT NULL,
  success boolean,
  received_at timestamptz NOT NULL,
  redaction_version smallint NOT NULL,
  event_bytes int NOT NULL,
  event text NOT NULL,
  PRIMARY KEY (tenant_id, at, log_id)
) PARTITION BY RANGE (at);
CREATE INDEX mcp_tool_calls_by_backend ON mcp_tool_calls (tenant_id, backend_id, at, log_id);

CREATE TABLE mcp_tool_call_ids (
  tenant_id uuid NOT NULL,
  event_id uuid NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, event_id)
);
CREATE INDEX mcp_tool_call_ids_by_time ON mcp_tool_call_ids USING brin (at);

-- Export keys are looked up from outside a tenant, by their hash: not distributed.
CREATE TABLE log_export_keys (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('app', 'all_apps', 'backend', 'all_backends')),
  -- Of the scopes app and backend.
  app_id uuid,
  backend_id uuid,
  secret_hash bytea NOT NULL UNIQUE,
  sealed_secret text NOT NULL,
  fingerprint text NOT NULL,
  name text NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  version int NOT NULL DEFAULT 1,
  last_used_at timestamptz,
  -- Up to where its collector has read.
  read_up_to timestamptz,
  PRIMARY KEY (tenant_id, key_id)
);
CREATE INDEX log_export_keys_by_age ON log_export_keys (tenant_id, created_at, key_id);
CREATE INDEX log_export_keys_in_use ON log_export_keys (last_used_at) WHERE revoked_at IS NULL;
