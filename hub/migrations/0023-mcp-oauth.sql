-- What a tenant decides about MCP clients. Lists as JSON arrays of text.
CREATE TABLE mcp_settings (
  tenant_id uuid PRIMARY KEY,
  -- Empty: every member's.
  allowed_email_domains jsonb NOT NULL,
  company_domain_aliases jsonb NOT NULL,
  -- host/path of https redirect URIs, and schemes of applications.
  redirect_https jsonb NOT NULL,
  redirect_schemes jsonb NOT NULL,
  allowed_origins jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- The OAuth server's own rows are looked up by hash before any tenant is known, as sessions are.
CREATE TABLE mcp_redirect_uris (
  namespace text NOT NULL,
  redirect_uri text NOT NULL,
  client_name text,
  registered_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (namespace, redirect_uri)
);
CREATE INDEX mcp_redirect_uris_by_age ON mcp_redirect_uris (registered_at);

-- Between the client's request and the code.
CREATE TABLE mcp_authorizations (
  request_hash bytea PRIMARY KEY,
  namespace text NOT NULL,
  asked jsonb NOT NULL,
  -- Of the browser's cookie: before the consent, and the one made at the approval.
  browser_hash bytea NOT NULL,
  csrf_hash bytea NOT NULL,
  approved_at timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX mcp_authorizations_by_end ON mcp_authorizations (expires_at);

CREATE TABLE mcp_codes (
  code_hash bytea PRIMARY KEY,
  namespace text NOT NULL,
  asked jsonb NOT NULL,
  tenant_id uuid,
  user_id uuid,
  email text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  token_id uuid
);
CREATE INDEX mcp_codes_by_end ON mcp_codes (expires_at);

CREATE TABLE mcp_tokens (
  token_hash bytea PRIMARY KEY,
  token_id uuid NOT NULL UNIQUE,
  namespace text NOT NULL,
  -- Null: a token of the root, which opens only userinfo.
  tenant_id uuid,
  user_id uuid,
  email text NOT NULL,
  email_folded text NOT NULL,
  client_name text,
  redirect_host text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX mcp_tokens_by_person ON mcp_tokens (tenant_id, email_folded, created_at);

-- Tokens for clients without OAuth, bound to a backend and an agent.
CREATE TABLE mcp_api_tokens (
  tenant_id uuid NOT NULL,
  token_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  backend_id uuid NOT NULL,
  name text NOT NULL,
  agent text NOT NULL,
  whole_header boolean NOT NULL,
  fingerprint text NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (tenant_id, token_id)
);
CREATE INDEX mcp_api_tokens_by_hash ON mcp_api_tokens (token_hash);
CREATE INDEX mcp_api_tokens_by_backend ON mcp_api_tokens (tenant_id, backend_id, created_at);
