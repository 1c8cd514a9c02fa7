-- Filters of a list that a person keeps under a name, for themselves.
CREATE TABLE saved_views (
  tenant_id uuid NOT NULL,
  view_id uuid NOT NULL,
  -- Their e-mail address, folded.
  person text NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  search jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, view_id),
  UNIQUE (tenant_id, person, list, name_folded)
);
