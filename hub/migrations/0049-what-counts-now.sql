-- What lists show of an application is what counts now: the stricter of two, and nothing that is over or has not begun.
-- Decisions that begin or end by themselves are looked for each minute.
CREATE INDEX overrides_timed ON overrides (tenant_id)
  WHERE NOT deleted AND scope_kind = 'tenant' AND match ->> 'entity_id' IS NOT NULL
    AND (effective_at IS NOT NULL OR expires_at IS NOT NULL);
UPDATE product_decisions d SET override_id = w.override_id, approval_status = w.approval_status,
  execution_policy = w.execution_policy
FROM (
  SELECT DISTINCT ON (o.tenant_id, o.match ->> 'entity_id') o.tenant_id,
    o.match ->> 'entity_id' AS entity_id, o.override_id, o.approval_status, o.execution_policy
  FROM overrides o
  WHERE o.match ->> 'entity_id' IS NOT NULL AND o.match - 'entity_id' = '{}'::jsonb
    AND o.scope_kind = 'tenant' AND NOT o.deleted AND o.rollout_percent > 0
    AND (o.effective_at IS NULL OR o.effective_at <= now())
    AND (o.expires_at IS NULL OR o.expires_at > now())
  ORDER BY o.tenant_id, o.match ->> 'entity_id', o.rollout_percent = 100 DESC,
    array_position(ARRAY['allow', 'monitor', 'warn', 'block', 'quarantine'], o.execution_policy) DESC,
    o.revision DESC) w
WHERE w.tenant_id = d.tenant_id AND decode(w.entity_id, 'hex') = d.entity_id
  AND w.override_id <> d.override_id;
DELETE FROM product_decisions d WHERE NOT EXISTS (
  SELECT 1 FROM overrides o
  WHERE o.tenant_id = d.tenant_id AND o.match ->> 'entity_id' = encode(d.entity_id, 'hex')
    AND o.match - 'entity_id' = '{}'::jsonb AND o.scope_kind = 'tenant' AND NOT o.deleted
    AND o.rollout_percent > 0 AND (o.effective_at IS NULL OR o.effective_at <= now())
    AND (o.expires_at IS NULL OR o.expires_at > now()));
