-- What each tool of a backend was when somebody approved it, and what it is now where that differs. A tool that was never
-- approved has no pinned definition.
CREATE TABLE mcp_tool_pins (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  tool text NOT NULL,
  pinned_digest bytea,
  pinned jsonb,
  -- Null: as pinned.
  seen_digest bytea,
  seen jsonb,
  seen_at timestamptz,
  PRIMARY KEY (tenant_id, backend_id, tool)
);

-- Whether a tool that is not as it was pinned is only flagged, or hidden until somebody looked at it.
ALTER TABLE mcp_backends ADD COLUMN drift text NOT NULL DEFAULT 'flag' CHECK (drift IN ('flag', 'hide'));
