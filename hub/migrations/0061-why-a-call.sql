-- Why a call was let through or refused is kept beside its row as it was then, for rules change; and which node told of a
-- row. Neither is exported. Rows from before know neither.
ALTER TABLE llm_requests ADD COLUMN node_id uuid;
ALTER TABLE mcp_tool_calls ADD COLUMN node_id uuid, ADD COLUMN decided jsonb;
