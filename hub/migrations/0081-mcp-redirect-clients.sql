-- Hosted clients that the tenant enables by name, beside the addresses that it lists.
ALTER TABLE mcp_settings ADD COLUMN redirect_clients jsonb NOT NULL DEFAULT '[]';
