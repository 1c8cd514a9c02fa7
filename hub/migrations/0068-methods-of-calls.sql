-- What guardrails find in resources, prompts and completions, and what is blocked there, has a row beside the calls of
-- tools. Which method it was; null: a call of a tool, which alone is exported.
ALTER TABLE mcp_tool_calls ADD COLUMN method text;
