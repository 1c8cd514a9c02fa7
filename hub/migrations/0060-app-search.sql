-- Apps are found by a piece of their name as products are: a new one waits until the job has seen it. Apps keep their name.
ALTER TABLE apps ADD COLUMN is_searchable boolean NOT NULL DEFAULT false;
CREATE INDEX apps_unsearchable ON apps (tenant_id) WHERE NOT is_searchable;
