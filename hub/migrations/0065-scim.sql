-- People and their groups as a directory provisions them (SCIM 2.0).
CREATE TABLE scim_tokens (
  tenant_id uuid NOT NULL,
  token_id uuid NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  name text NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (tenant_id, token_id)
);
CREATE INDEX scim_tokens_by_age ON scim_tokens (tenant_id, created_at, token_id);

-- What the directory calls a person, and what else it says of them. Who was added by hand has none of it.
ALTER TABLE members ADD COLUMN user_name text;
ALTER TABLE members ADD COLUMN user_name_folded text;
ALTER TABLE members ADD COLUMN external_id text;
ALTER TABLE members ADD COLUMN profile jsonb;
-- The directory deleted them: it sees them no more, until they are enabled again.
ALTER TABLE members ADD COLUMN deprovisioned_at timestamptz;
CREATE UNIQUE INDEX members_by_user_name ON members (tenant_id, user_name_folded) WHERE user_name_folded IS NOT NULL;
CREATE INDEX members_by_external_id ON members (tenant_id, external_id) WHERE external_id IS NOT NULL;

ALTER TABLE people_groups ADD COLUMN external_id text;
