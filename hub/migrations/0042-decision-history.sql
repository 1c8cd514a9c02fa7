-- The history of decisions, withdrawn ones too; and what else decides about the same thing for the same scope.
CREATE INDEX overrides_history ON overrides (tenant_id, created_at DESC, override_id);
CREATE INDEX overrides_by_target ON overrides (tenant_id, scope_kind, scope_id, md5(match::text)) WHERE NOT deleted;
