-- A session as one tenant sees it: listed after its first use there, ended there without ending it elsewhere.
CREATE TABLE session_tenants (
  tenant_id uuid NOT NULL,
  session_id uuid NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, session_id)
);
CREATE INDEX session_tenants_by_expiry ON session_tenants (expires_at);

-- Null until the person agrees to belong to the tenant; who belongs to no other agrees by signing in.
ALTER TABLE members ADD COLUMN accepted_at timestamptz;
UPDATE members SET accepted_at = created_at;
-- Sessions and tokens from before this moment open nothing in the tenant: it moves on when the person is disabled.
ALTER TABLE members ADD COLUMN access_valid_from timestamptz;

ALTER TABLE sessions ADD COLUMN source_address text;
-- Failed sign-ins are counted in memory: an attempt without an account writes no row.
DROP TABLE login_attempts;
