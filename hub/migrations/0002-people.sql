-- People: accounts of the embedded login provider, memberships of tenants, sessions.
CREATE TABLE accounts (
  account_id uuid PRIMARY KEY,
  email text NOT NULL,
  email_folded text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE login_attempts (
  email_folded text PRIMARY KEY,
  window_started_at timestamptz NOT NULL,
  failures integer NOT NULL
);

CREATE TABLE members (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  email text NOT NULL,
  email_folded text NOT NULL,
  role text NOT NULL CHECK (role IN ('Member', 'Viewer', 'Reviewer', 'Admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  PRIMARY KEY (tenant_id, user_id),
  UNIQUE (tenant_id, email_folded)
);
CREATE INDEX members_by_email ON members (email_folded);

CREATE TABLE sessions (
  session_hash bytea PRIMARY KEY,
  email text NOT NULL,
  email_folded text NOT NULL,
  csrf_token text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_email ON sessions (email_folded);

-- What oidc-provider keeps: its models as documents.
CREATE TABLE oidc_payloads (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  grant_id text,
  uid text,
  user_code text,
  expires_at timestamptz,
  consumed_at timestamptz,
  PRIMARY KEY (model, id)
);
CREATE INDEX oidc_payloads_by_grant ON oidc_payloads (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_payloads_by_uid ON oidc_payloads (uid) WHERE uid IS NOT NULL;
CREATE INDEX oidc_payloads_by_expiry ON oidc_payloads (expires_at);
