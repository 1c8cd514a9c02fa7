-- The newest rows of a person or of a conversation are found without reading all days.
CREATE INDEX llm_requests_by_user ON llm_requests (tenant_id, user_email, at)
  WHERE user_email IS NOT NULL;
CREATE INDEX llm_requests_by_conversation ON llm_requests (tenant_id, conversation_id, at)
  WHERE conversation_id IS NOT NULL;
CREATE INDEX mcp_tool_calls_by_user ON mcp_tool_calls (tenant_id, user_email, at)
  WHERE user_email IS NOT NULL;
