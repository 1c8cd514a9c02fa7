-- The instructions of a server are approved with its tools: a row of their own kind.
ALTER TABLE mcp_tool_pins
  ADD COLUMN kind text NOT NULL DEFAULT 'tool' CHECK (kind IN ('tool', 'instructions')),
  DROP CONSTRAINT mcp_tool_pins_pkey,
  ADD PRIMARY KEY (tenant_id, backend_id, kind, tool);
