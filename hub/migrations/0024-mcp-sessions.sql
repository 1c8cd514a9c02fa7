-- Sessions of the older revision of MCP, as rows: any hub process can answer the next request of one.
CREATE TABLE mcp_sessions (
  session_hash bytea PRIMARY KEY,
  namespace text NOT NULL,
  token_id uuid NOT NULL,
  protocol_version text NOT NULL,
  capabilities jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mcp_sessions_by_age ON mcp_sessions (created_at);

-- What an upstream calls the session that the gateway has with it, for one client's session or one token.
CREATE TABLE mcp_upstream_sessions (
  owner_hash bytea NOT NULL,
  backend_id uuid NOT NULL,
  sealed_session text,
  protocol_version text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_hash, backend_id)
);
CREATE INDEX mcp_upstream_sessions_by_age ON mcp_upstream_sessions (created_at);

-- Which tools of a backend may be listed and called: {allow: [pattern], deny: [pattern]}; null: all.
ALTER TABLE mcp_backends ADD COLUMN tools jsonb;
-- Of `auth.kind` shared: the credential that the gateway sends, never read back.
ALTER TABLE mcp_backends ADD COLUMN sealed_auth text;
