// All error codes of the hub. Below 500 a message is the default text, which the thrower may replace; from 500 on it is
// the only text that a response contains.

export const ERRORS = {
  // 400
  invalid_request: { status: 400, message: '/ is not a valid request.' },
  invalid_json: { status: 400, message: '/ is not valid JSON.' },
  invalid_gzip: { status: 400, message: '/ is not valid gzip.' },
  invalid_cursor: { status: 400, message: '/query/cursor is not a valid cursor of this list.' },
  invalid_tenant_id: { status: 400, message: '/header/x-tenant-id must be a UUID.' },
  invalid_subscriber_id: {
    status: 400,
    message: '/header/x-subscriber-id must be 1-128 printable ASCII characters.',
  },
  invalid_device_id: {
    status: 400,
    message: '/header/x-device-id must be the UUID of the device.',
  },
  invalid_if_match: { status: 400, message: '/header/if-match must be a list of quoted ETags.' },
  url_not_allowed: { status: 400, message: '/url is not allowed: the server may not call it.' },
  invalid_view: { status: 400, message: '/query/view must be logs or metrics.' },
  before_retention: {
    status: 400,
    message: 'The time range starts or ends before the retention period.',
  },
  batch_too_large: { status: 400, message: 'A batch may have at most 50 items.' },
  // 401
  invalid_management_key: {
    status: 401,
    message: 'The management key is missing, unknown, expired or revoked.',
  },
  invalid_agent_token: {
    status: 401,
    message: 'The agent token is missing, unknown or no longer valid.',
  },
  invalid_scim_token: {
    status: 401,
    message: 'The SCIM token is missing, unknown, expired or revoked.',
  },
  invalid_node_token: {
    status: 401,
    message: 'The node token is missing, unknown, expired or revoked.',
  },
  invalid_log_export_key: {
    status: 401,
    message: 'X-Gw-Log-Export-Key is missing, malformed or unknown.',
  },
  unauthenticated: { status: 401, message: 'Sign in, or send a valid bearer token.' },
  invalid_token: { status: 401, message: 'The bearer token is not valid.' },
  // 403
  insufficient_scope: { status: 403, message: 'The key lacks a required scope.' },
  management_disabled_for_tenant: {
    status: 403,
    message: 'The management API is not enabled for this tenant.',
  },
  tenant_mismatch: { status: 403, message: 'X-Tenant-ID does not match the tenant of the token.' },
  device_token_required: { status: 403, message: 'This device must use its own device token.' },
  enrol_only_token: { status: 403, message: 'This token can only enroll devices.' },
  device_retired: { status: 403, message: 'This device was retired by an admin.' },
  subscriber_mismatch: { status: 403, message: 'This device belongs to another user.' },
  log_export_key_inactive: {
    status: 403,
    message: 'The log-export key is revoked or expired, or its app or server is not active.',
  },
  wrong_log_export_key: {
    status: 403,
    message: 'The log-export key is for the other endpoint.',
  },
  tenant_suspended: {
    status: 403,
    message: 'The organization is suspended. Contact the operator of the hub.',
  },
  forbidden: { status: 403, message: "Your role doesn't allow this." },
  csrf_required: { status: 403, message: 'X-CSRF-Token is missing or belongs to another session.' },
  // 404 to 428
  not_found: {
    status: 404,
    message: "Not found. It may have been deleted, or you don't have access.",
  },
  approval_decided: {
    status: 409,
    message: 'This request was already resolved.',
  },
  already_exists: { status: 409, message: 'A resource with this name already exists.' },
  tenant_not_empty: {
    status: 409,
    message:
      'Sample data requires an organization without devices, policies and gateway configuration.',
  },
  ambiguous_app_name: {
    status: 409,
    message: 'App name is ambiguous. Ask your operator to rename an app.',
  },
  collection_changed: {
    status: 409,
    message: 'The list changed. Start again without a cursor.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was already used with another request.',
  },
  idempotency_key_expired: {
    status: 409,
    message: 'This Idempotency-Key was used more than 24 hours ago. Use a new key.',
  },
  not_a_legacy_app: {
    status: 409,
    message: 'Only apps with inline providers can be converted.',
  },
  legacy_app: {
    status: 409,
    message: 'This app uses inline providers. Convert it first.',
  },
  operation_superseded: {
    status: 409,
    message: 'The app changed in the meantime. Start the operation again.',
  },
  operation_not_recoverable: {
    status: 409,
    message: 'Operation not found or expired. Send the original request again.',
  },
  policy_dependency: {
    status: 409,
    message: "Providers can't be removed while policy authority is enabled.",
  },
  provider_dependency: {
    status: 409,
    message: "The provider's state, or a setting that uses it, doesn't allow this.",
  },
  rollback_conflict: {
    status: 409,
    message: "This version can't be restored: it conflicts with the current settings.",
  },
  terminal_key_state: {
    status: 409,
    message: "This key is expired or revoked and can't be changed.",
  },
  embedded_accounts: {
    status: 409,
    message: 'With built-in sign-in, invite the user instead.',
  },
  last_administrator: {
    status: 409,
    message: "You can't remove the last admin. Promote another user first.",
  },
  already_delivered: { status: 409, message: 'Already delivered.' },
  mail_not_configured: {
    status: 409,
    message: "E-mail isn't configured. Ask your operator to set HUB_SMTP_URL and HUB_MAIL_FROM.",
  },
  group_by_rule: {
    status: 409,
    message: "This group's members are set by its rule. Change the rule instead.",
  },
  group_in_use: { status: 409, message: 'This group is used by policies. Remove them first.' },
  default_policy: {
    status: 409,
    message: 'Managed by a default policy. Edit it under Policies > Defaults.',
  },
  drift_hold: {
    status: 409,
    message: 'Held because the app changed after approval. Review the app first.',
  },
  product_policy: {
    status: 409,
    message: 'Managed by a product policy. Change that policy instead.',
  },
  rollout_conflict: { status: 409, message: "The state of the rollout doesn't allow this." },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  batch_id_reused: { status: 409, message: 'This batch_id was already used with another body.' },
  cursor_expired: {
    status: 410,
    message: 'The cursor is no longer valid. Start again without a cursor.',
  },
  precondition_failed: { status: 412, message: 'Someone else changed this. Reload and try again.' },
  body_too_large: {
    status: 413,
    message: 'The body is larger than 1 MiB as sent or 4 MiB uncompressed.',
  },
  uri_too_long: { status: 414, message: 'The path is too long.' },
  gzip_required: { status: 415, message: 'Content-Encoding must be gzip.' },
  unsupported_media_type: {
    status: 415,
    message: 'The Content-Type of the body must be application/json.',
  },
  precondition_required: { status: 428, message: 'If-Match is required.' },
  too_many_requests: {
    status: 429,
    message: 'Too many requests. Wait for the time in Retry-After.',
  },
  headers_too_large: { status: 431, message: 'The headers are too large.' },
  // 500 and more
  internal_error: {
    status: 500,
    message: 'Unexpected error. Contact support with the request ID.',
  },
  metrics_failed: {
    status: 500,
    message: "Couldn't compute metrics. Try a shorter time range.",
  },
  central_service_required: {
    status: 503,
    message: 'Send management requests to the central hub.',
  },
  operation_pending: {
    status: 503,
    message: "The result isn't known yet. Check the operation, or repeat the request later.",
  },
  database_unavailable: {
    status: 503,
    message: 'The database is unavailable. Try again shortly.',
  },
  database_full: {
    status: 503,
    message: 'The database disk is full, so nothing can be saved. Try again later.',
  },
  mcp_server_unavailable: { status: 409, message: "The MCP server didn't return a list of tools." },
  mcp_login_unavailable: {
    status: 409,
    message: "Can't connect: the server's OAuth metadata is invalid.",
  },
  mcp_server_silent: {
    status: 503,
    message: "Couldn't read the MCP server's OAuth metadata. Try again shortly.",
  },
  login_provider_unavailable: {
    status: 503,
    message: "The login provider didn't return its keys. Try again shortly.",
  },
  overloaded: { status: 503, message: 'The server is overloaded. Try again shortly.' },
  starting: { status: 503, message: 'The server is starting. Try again shortly.' },
  docs_not_built: {
    status: 503,
    message: 'The documentation was not built. Run: npm run docs, then restart the hub.',
  },
  console_not_built: {
    status: 503,
    message: 'The console is not built. Run "npm run prepare".',
  },
} as const satisfies Record<string, { status: number; message: string }>;
export type ErrorCode = keyof typeof ERRORS;
