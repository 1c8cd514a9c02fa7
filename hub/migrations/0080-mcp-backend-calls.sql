-- How long a call of an MCP server may take: without a byte from the server, and in all.
ALTER TABLE mcp_backends
  ADD COLUMN idle_timeout_seconds int NOT NULL DEFAULT 300,
  ADD COLUMN total_timeout_seconds int NOT NULL DEFAULT 3600,
  -- Names of the headers that go with each request, in their order.
  ADD COLUMN header_names jsonb NOT NULL DEFAULT '[]',
  -- Their values by name in lower case, never read back. Null: there are none.
  ADD COLUMN sealed_headers text;
ALTER TABLE mcp_backends ADD CONSTRAINT mcp_backends_idle_timeout_seconds_check
  CHECK (idle_timeout_seconds BETWEEN 1 AND 86400);
ALTER TABLE mcp_backends ADD CONSTRAINT mcp_backends_total_timeout_seconds_check
  CHECK (total_timeout_seconds BETWEEN 1 AND 86400);
