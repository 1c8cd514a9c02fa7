-- What calls through the MCP gateway must meet besides who may call: arguments by a schema, approval by a person,
-- guardrails on what goes in and comes out. `backend_id` null: of every backend; `tool`: a name with `*` for any letters.
CREATE TABLE mcp_call_rules (
  tenant_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('arguments', 'approval', 'guardrail')),
  name text NOT NULL,
  backend_id uuid,
  tool text NOT NULL,
  definition jsonb NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, rule_id)
);

-- A call that waits for somebody's word: of one person, tool and set of arguments. A grant lets one such call through,
-- until `expires_at`.
CREATE TABLE mcp_approvals (
  tenant_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  tool text NOT NULL,
  email text NOT NULL,
  email_folded text NOT NULL,
  arguments_digest bytea NOT NULL,
  -- As the person is shown them, without credentials.
  sealed_arguments text NOT NULL,
  decided_by_reviewer boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'granted', 'denied', 'used')),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  used_at timestamptz,
  PRIMARY KEY (tenant_id, approval_id)
);
CREATE INDEX mcp_approvals_open ON mcp_approvals (tenant_id, email_folded, arguments_digest)
  WHERE state IN ('pending', 'granted');
CREATE INDEX mcp_approvals_by_age ON mcp_approvals (created_at);
