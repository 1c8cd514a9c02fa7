-- What one hub process must hand to another that waits for it: a client's answer to a question that a request of it
-- caused, and what came of that request. Short-lived; sealed, for it may be anything that a person was asked for.
CREATE TABLE mcp_mail (
  tenant_id uuid NOT NULL,
  box uuid NOT NULL,
  slot text NOT NULL,
  sealed_message text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, box, slot)
);
CREATE INDEX mcp_mail_by_age ON mcp_mail (created_at);

-- Which resources a session of the older revision follows at servers that know no such request themselves.
CREATE TABLE mcp_subscriptions (
  session_hash bytea NOT NULL,
  backend_id uuid NOT NULL,
  uri text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (session_hash, backend_id, uri)
);
CREATE INDEX mcp_subscriptions_by_age ON mcp_subscriptions (created_at);

-- From which level on the client wants to read servers' logs.
ALTER TABLE mcp_sessions ADD COLUMN log_level text;
