-- The instructions of a server are approved with its tools: a row of their own kind.
ALTER TABLE mcp_tool_pins ADD COLUMN kind text NOT NULL DEFAULT 'tool';
ALTER TABLE mcp_tool_pins ADD CONSTRAINT mcp_tool_pins_kind_check
  CHECK (kind IN ('tool', 'instructions'));
ALTER TABLE mcp_tool_pins DROP CONSTRAINT mcp_tool_pins_pkey;
ALTER TABLE mcp_tool_pins ADD CONSTRAINT mcp_tool_pins_pkey
  PRIMARY KEY (tenant_id, backend_id, kind, tool);
