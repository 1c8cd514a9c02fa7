-- Releases of the agent, of the whole installation. Their bytes are here, so that every hub process serves them.
CREATE TABLE agent_releases (
  release_id uuid PRIMARY KEY,
  version text NOT NULL,
  channel text NOT NULL,
  platform text NOT NULL,
  arch text NOT NULL,
  minimum_version text NOT NULL,
  file_name text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  -- Byte for byte as it was signed.
  manifest text NOT NULL,
  signature text NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  added_at timestamptz NOT NULL,
  ring_percent integer NOT NULL CHECK (ring_percent BETWEEN 0 AND 100),
  withdrawn_at timestamptz
);

CREATE TABLE agent_release_pieces (
  release_id uuid NOT NULL,
  piece integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (release_id, piece)
);

-- Device groups that have a release before its percentage reaches them.
CREATE TABLE agent_release_groups (
  tenant_id uuid NOT NULL,
  release_id uuid NOT NULL,
  group_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, release_id, group_id)
);
