-- A person's own key for a backend, which the gateway sends for that person only.
CREATE TABLE mcp_connections (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  user_id uuid NOT NULL,
  sealed_secret text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, backend_id, user_id)
);
