-- Servers that launch the same under other names.
CREATE INDEX entities_by_launch ON entities (tenant_id, launch_hash, entity_id) WHERE launch_hash IS NOT NULL AND removed_at IS NULL;
