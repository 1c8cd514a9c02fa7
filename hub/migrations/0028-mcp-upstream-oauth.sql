-- The gateway as an OAuth client of the servers behind it. A client that an authorization server registered for a backend:
-- one for all people, made on first use. `basis` is what it was made for; another server or setting makes another client.
CREATE TABLE mcp_upstream_clients (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  basis bytea NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  sealed_secret text,
  auth_method text NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, backend_id)
);

-- Between the person's way to the server's login and back: looked up by hash before any tenant is known.
CREATE TABLE mcp_grant_starts (
  state_hash bytea PRIMARY KEY,
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  user_id uuid NOT NULL,
  session_hash bytea NOT NULL,
  sealed_pending text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX mcp_grant_starts_by_end ON mcp_grant_starts (expires_at);

-- A person's own OAuth connection with a server. `generation` moves with every new token; `refreshing_until` is the lease
-- of the hub process that asks for the next one.
CREATE TABLE mcp_grants (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  user_id uuid NOT NULL,
  sealed_tokens text NOT NULL,
  source jsonb NOT NULL,
  scope text,
  generation integer NOT NULL DEFAULT 1,
  refresh_at timestamptz,
  refreshing_until timestamptz,
  -- Why the person has to connect anew; null: it works.
  renewal text,
  connected_at timestamptz NOT NULL DEFAULT now(),
  refreshed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, backend_id, user_id)
);
