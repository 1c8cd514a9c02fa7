-- Which registered redirect URIs a person ever signed in through: those are kept when too many others were registered.
ALTER TABLE mcp_redirect_uris ADD COLUMN used_at timestamptz;
UPDATE mcp_redirect_uris SET used_at = registered_at;
