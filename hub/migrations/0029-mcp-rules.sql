-- Groups of people, by e-mail address: a person may be in one before they are a member, and `mcpuser` names no member.
CREATE TABLE people_groups (
  tenant_id uuid NOT NULL,
  group_id uuid NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  description text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, group_id),
  UNIQUE (tenant_id, name_folded)
);

CREATE TABLE people_group_members (
  tenant_id uuid NOT NULL,
  group_id uuid NOT NULL,
  email_folded text NOT NULL,
  PRIMARY KEY (tenant_id, group_id, email_folded)
);

-- Who may use which tools of which servers. Null: all servers, or a server as a whole.
CREATE TABLE mcp_rules (
  tenant_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  effect text NOT NULL CHECK (effect IN ('allow', 'deny')),
  backend_id uuid,
  tool text,
  subject text NOT NULL CHECK (subject IN ('everybody', 'group', 'person')),
  group_id uuid,
  email text,
  reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, rule_id)
);

-- What devices call the same server when they run it without the gateway: keys as agents make them, such as `npm:<package>`.
ALTER TABLE mcp_backends ADD COLUMN same_as jsonb NOT NULL DEFAULT '[]';
