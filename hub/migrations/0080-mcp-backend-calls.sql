-- How long a call of an MCP server may take: without a byte from the server, and in all.
ALTER TABLE mcp_backends
  ADD COLUMN idle_timeout_seconds int NOT NULL DEFAULT 300
    CHECK (idle_timeout_seconds BETWEEN 1 AND 86400),
  ADD COLUMN total_timeout_seconds int NOT NULL DEFAULT 3600
    CHECK (total_timeout_seconds BETWEEN 1 AND 86400),
  -- Names of the headers that go with each request, in their order.
  ADD COLUMN header_names jsonb NOT NULL DEFAULT '[]',
  -- Their values by name in lower case, never read back. Null: there are none.
  ADD COLUMN sealed_headers text;
