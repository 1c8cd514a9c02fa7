// The one list of error codes. Below 500 a message is what is said where nothing better is known; from 500 on it is all that
// is said.

export const ERRORS = {
  // 400
  invalid_request: { status: 400, message: '/ is not a valid request.' },
  invalid_json: { status: 400, message: '/ is not valid JSON.' },
  invalid_gzip: { status: 400, message: '/ is not valid gzip.' },
  invalid_cursor: { status: 400, message: '/query/cursor is not one of this list.' },
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
  url_not_allowed: { status: 400, message: '/url may not be called by the hub.' },
  invalid_view: { status: 400, message: '/query/view must be logs or metrics.' },
  before_retention: { status: 400, message: 'The window begins or ends before what is kept.' },
  batch_too_large: { status: 400, message: 'A batch holds at most 50 items.' },
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
  insufficient_scope: { status: 403, message: 'The key lacks a scope that this needs.' },
  management_disabled_for_tenant: {
    status: 403,
    message: 'The management API is not enabled for this tenant.',
  },
  tenant_mismatch: { status: 403, message: 'X-Tenant-ID is not the tenant of the token.' },
  device_token_required: { status: 403, message: 'This device must use its own device token.' },
  enrol_only_token: { status: 403, message: 'This token only enrols devices.' },
  device_retired: { status: 403, message: 'An administrator retired this device.' },
  subscriber_mismatch: { status: 403, message: 'This device belongs to another subscriber.' },
  log_export_key_inactive: {
    status: 403,
    message: 'The log-export key is revoked or expired, or what it belongs to is not active.',
  },
  wrong_log_export_key: {
    status: 403,
    message: 'The log-export key is of the other endpoint.',
  },
  forbidden: { status: 403, message: 'Your role does not allow this.' },
  csrf_required: { status: 403, message: 'X-CSRF-Token is missing or not of this session.' },
  // 404 to 428
  not_found: { status: 404, message: 'There is nothing here.' },
  approval_decided: {
    status: 409,
    message: 'It was decided already, or waits no more.',
  },
  already_exists: { status: 409, message: 'It exists already.' },
  ambiguous_app_name: {
    status: 409,
    message: 'Several apps have this name: an operator must tell them apart.',
  },
  collection_changed: {
    status: 409,
    message: 'The list changed meanwhile: start again without a cursor.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another request.',
  },
  idempotency_key_expired: {
    status: 409,
    message: 'This Idempotency-Key was used more than 24 hours ago: use a new one.',
  },
  not_a_legacy_app: {
    status: 409,
    message: 'Only an app with providers of its own can be converted.',
  },
  legacy_app: {
    status: 409,
    message: 'This app has providers of its own: convert it first.',
  },
  operation_superseded: {
    status: 409,
    message: 'The app was changed since: what this operation meant to do is not done any more.',
  },
  operation_not_recoverable: {
    status: 409,
    message: 'Nothing of this operation is kept: repeat the original request.',
  },
  policy_dependency: {
    status: 409,
    message: 'Policy authority is enabled: providers cannot be taken away.',
  },
  provider_dependency: {
    status: 409,
    message: 'The state of the provider, or what refers to it, does not allow this.',
  },
  rollback_conflict: {
    status: 409,
    message: 'That version does not fit what is there and allowed now.',
  },
  terminal_key_state: {
    status: 409,
    message: 'The key is expired or revoked: it cannot be changed.',
  },
  embedded_accounts: {
    status: 409,
    message: 'People of the embedded login provider are added at the command line.',
  },
  last_administrator: {
    status: 409,
    message: 'This is the last administrator: make somebody else one first.',
  },
  already_delivered: { status: 409, message: 'It is delivered: it is not sent again.' },
  mail_not_configured: {
    status: 409,
    message: 'The hub has no mail server: its operator sets HUB_SMTP_URL and HUB_MAIL_FROM.',
  },
  group_by_rule: { status: 409, message: 'The rule of this group says who is in it.' },
  group_in_use: { status: 409, message: 'Decisions hold for this device group.' },
  default_policy: {
    status: 409,
    message: 'This stands for a default policy: change it there.',
  },
  drift_hold: {
    status: 409,
    message: 'The hub holds what drifted: review the application, or change what counts meanwhile.',
  },
  product_policy: {
    status: 409,
    message: 'A policy for a product owns this: change that policy.',
  },
  rollout_conflict: { status: 409, message: 'The state of the rollout does not allow this.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  batch_id_reused: { status: 409, message: 'This batch_id was used with another body.' },
  cursor_expired: {
    status: 410,
    message: 'The cursor is no longer valid: start again without one.',
  },
  precondition_failed: { status: 412, message: 'It was changed meanwhile: read it again.' },
  body_too_large: {
    status: 413,
    message: 'The body is larger than 1 MiB as sent or 4 MiB inflated.',
  },
  uri_too_long: { status: 414, message: 'The path is too long.' },
  gzip_required: { status: 415, message: 'Content-Encoding must be gzip.' },
  unsupported_media_type: {
    status: 415,
    message: 'The Content-Type of the body must be application/json.',
  },
  precondition_required: { status: 428, message: 'If-Match is required.' },
  too_many_requests: { status: 429, message: 'Too many requests: wait as Retry-After says.' },
  headers_too_large: { status: 431, message: 'The headers are too large.' },
  // 500 and more
  internal_error: {
    status: 500,
    message: 'Something went wrong here. It is in the log by its request id.',
  },
  metrics_failed: {
    status: 500,
    message: 'The metrics could not be made: try again, with a smaller window where it goes on.',
  },
  central_service_required: {
    status: 503,
    message: 'This is not the central service: management requests go there.',
  },
  operation_pending: {
    status: 503,
    message: 'The outcome is not known yet: ask for the operation, or repeat the request later.',
  },
  database_unavailable: {
    status: 503,
    message: 'The database is not available: try again shortly.',
  },
  database_full: {
    status: 503,
    message: 'The disk of the database is full, so nothing can be stored: try again later.',
  },
  mcp_server_unavailable: { status: 409, message: 'The MCP server gives no list of its tools.' },
  mcp_login_unavailable: {
    status: 409,
    message: 'The MCP server cannot be connected: its login is not what it has to be.',
  },
  mcp_server_silent: {
    status: 503,
    message: 'The MCP server does not say who lets people in: try again shortly.',
  },
  login_provider_unavailable: {
    status: 503,
    message: 'The login provider does not give its keys: try again shortly.',
  },
  overloaded: { status: 503, message: 'Too much at once: try again shortly.' },
  starting: { status: 503, message: 'The hub is starting: try again shortly.' },
  console_not_built: {
    status: 503,
    message: 'The console is not built: run "npm run prepare".',
  },
} as const satisfies Record<string, { status: number; message: string }>;
export type ErrorCode = keyof typeof ERRORS;
