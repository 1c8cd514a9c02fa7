-- The hub processes that run on this database, and digests of the settings that must be equal among them.
CREATE TABLE hub_processes (
  process_id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  settings jsonb NOT NULL
);
