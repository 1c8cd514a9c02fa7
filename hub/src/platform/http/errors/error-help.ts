// Cause and fix of each error code, in the order of docs/reference/errors.md, which `npm run docs` writes from here. The
// console's reference shows them, too. Backticks are code.
import type { ErrorCode } from './error-list.ts';

interface ErrorHelp {
  cause: string;
  cure: string;
}

interface ErrorSection {
  title: string;
  codes: Readonly<Partial<Record<ErrorCode, ErrorHelp>>>;
}

export const ERROR_SECTIONS: readonly ErrorSection[] = [
  {
    title: 'Invalid requests: sending them again unchanged fails again',
    codes: {
      invalid_request: {
        cause:
          'A field, query parameter or path parameter is missing, unknown, out of range or of the wrong type; the message names it. Also a NUL character, a lone surrogate or a number outside the supported range.',
        cure: 'Fix the field named in the message.',
      },
      invalid_json: {
        cause:
          'The body is empty, not UTF-8, not JSON, nested deeper than 32 levels, has too many values or names, or has a key such as `__proto__`.',
        cure: 'Send a JSON object in UTF-8.',
      },
      invalid_gzip: {
        cause:
          'The request has `Content-Encoding: gzip`, but the body is damaged, truncated or not gzip.',
        cure: 'Compress the entire body as a single gzip stream. If it worked before, check for a proxy that changes bodies.',
      },
      invalid_cursor: {
        cause: 'The cursor was modified, or belongs to another list, tenant or filter.',
        cure: 'Send `next_cursor` exactly as returned, with the same filters, or start again without a cursor.',
      },
      invalid_view: {
        cause: '`view` of the LLM log export is neither `logs` nor `metrics`.',
        cure: 'Use `logs` or `metrics`, or omit it.',
      },
      before_retention: {
        cause:
          'The time range of the export starts or ends before the retention period: 15 days, or fewer if the tenant set fewer.',
        cure: 'Request a later time range.',
      },
      invalid_tenant_id: {
        cause: "The device's request has no `X-Tenant-ID`, or it is not a UUID.",
        cure: 'Set the tenant ID as shown in the console.',
      },
      invalid_subscriber_id: {
        cause: '`X-Subscriber-ID` is missing, longer than 128 characters or not printable ASCII.',
        cure: 'Set `subscriber_id` in the agent config.',
      },
      invalid_device_id: {
        cause:
          '`X-Device-ID` is missing on a GET, is not a UUID, or differs from the device in the body.',
        cure: 'Send the ID that the agent created for this device, the same in both places.',
      },
      invalid_if_match: {
        cause: '`If-Match` is `*`, or not a list of quoted ETags.',
        cure: 'Send the quoted `version` of the resource, such as `"3"`.',
      },
      url_not_allowed: {
        cause:
          'The server may not call this URL: it is not https, has a user name, points to the server itself, or to an address that is not public.',
        cure: 'Use a public https URL. For a URL inside your network, ask the operator to add the network to `HUB_ALLOWED_PRIVATE_NETWORKS`.',
      },
      batch_too_large: {
        cause: 'The batch has more than 50 items.',
        cure: 'Split it. Each part needs its own `batch_id`.',
      },
      request_timeout: {
        cause:
          'The headers did not arrive within 10 seconds, or the entire request within 30 (10 for the management API).',
        cure: 'Send it again over a better connection.',
      },
      too_many_requests: {
        cause:
          'This token or device exceeds its rate limit (see `HUB_TOKEN_RATE` and `HUB_DEVICE_RATE`); or this process is handling 32 management requests, or 8 provider tests of the tenant; or a user made too many access requests (20 open, 50 a day).',
        cure: 'Wait for the time in `Retry-After`.',
      },
      headers_too_large: {
        cause: 'The request headers are larger than 16 KiB.',
        cure: 'Remove unneeded cookies and headers.',
      },
      body_too_large: {
        cause:
          'The body is larger than 1 MiB as sent, or 4 MiB uncompressed. For logs, the limit is 8 MiB.',
        cure: 'Send smaller batches.',
      },
      uri_too_long: {
        cause: 'A part of the path is too long.',
        cure: 'Use IDs as returned by the server.',
      },
      gzip_required: {
        cause: "The device's POST has no `Content-Encoding: gzip`.",
        cure: 'Gzip the body and set `Content-Encoding: gzip`.',
      },
      unsupported_media_type: {
        cause: 'The `Content-Type` of the body is not `application/json`.',
        cure: 'Send JSON and set `Content-Type: application/json`.',
      },
    },
  },
  {
    title: 'Authentication and permissions',
    codes: {
      invalid_agent_token: {
        cause: 'The agent token is missing, mistyped, unknown, expired or revoked.',
        cure: 'Create a new token with `npm run hub -- token agent` and enroll the device with it.',
      },
      invalid_management_key: {
        cause: 'The management key is missing, mistyped, unknown, expired or revoked.',
        cure: 'Create a new key with `POST …/tenants/{tenant_id}/keys`.',
      },
      invalid_node_token: {
        cause: "The gateway node's token is missing, mistyped, unknown, expired or revoked.",
        cure: 'Create a new token with `npm run hub -- token node`.',
      },
      invalid_scim_token: {
        cause:
          "The directory's token is missing, mistyped, unknown, expired or revoked, or its tenant is suspended.",
        cure: "Create a new token on the console's *Settings* page and enter it in the directory.",
      },
      invalid_log_export_key: {
        cause: '`X-Gw-Log-Export-Key` is missing, has the wrong format, or was never issued.',
        cure: "Send the log-export key as issued. Other kinds of keys don't work for the export.",
      },
      log_export_key_inactive: {
        cause:
          'The log-export key is revoked or expired; or its app is disabled or has no active key; or its server is disabled or deleted; or its tenant is suspended.',
        cure: 'Create a new key, or re-enable the app it belongs to.',
      },
      wrong_log_export_key: {
        cause: 'A key for LLM logs was sent to the MCP export, or the reverse.',
        cure: 'Use the key of this endpoint.',
      },
      unauthenticated: {
        cause:
          'There is no session, or it has expired. For `/metrics`, the token is missing or wrong.',
        cure: 'Sign in again, or send a bearer token.',
      },
      invalid_token: {
        cause: "The admin's JWT is malformed, expired, or signed by another issuer.",
        cure: 'Create a new token with `npm run hub -- token admin`, or get a token from your login provider.',
      },
      device_retired: {
        cause: 'An admin retired this device. All its requests are rejected, whatever their token.',
        cure: 'Re-enroll it from the device page.',
      },
      tenant_mismatch: {
        cause: '`X-Tenant-ID` is not the tenant of the agent token.',
        cure: 'Use a token of this tenant, or fix the tenant ID.',
      },
      device_token_required: {
        cause: 'This device received its own token when it enrolled, but used another token.',
        cure: "Use the device's own token. If it is lost, ask an admin to retire the device and allow re-enrollment, then enroll it again.",
      },
      enrol_only_token: {
        cause: 'The token can only be used for enrollment.',
        cure: 'Enroll with it, then use the token in the response.',
      },
      subscriber_mismatch: {
        cause: 'The device belongs to another user than `X-Subscriber-ID` names.',
        cure: 'Fix `subscriber_id` in the agent config, or re-enroll the device.',
      },
      tenant_suspended: {
        cause: 'The operator suspended the organization with `npm run hub -- tenant suspend`.',
        cure: 'The operator ends the suspension with `npm run hub -- tenant resume`.',
      },
      insufficient_scope: {
        cause: 'The management key lacks a scope that the route requires; the message names it.',
        cure: 'Create a key with that scope.',
      },
      management_disabled_for_tenant: {
        cause: 'The tenant has not enabled the management API, or is suspended.',
        cure: 'An admin enables it with `PATCH …/tenants/{tenant_id}/settings`.',
      },
      forbidden: {
        cause:
          "The user or token has no role in this tenant that allows this. A tenant that doesn't exist returns the same error, except to a token that lists it (404).",
        cure: 'Ask an admin of the tenant for the role.',
      },
      csrf_required: {
        cause:
          'A change was sent with a session cookie, but `X-CSRF-Token` is missing or belongs to another session.',
        cure: 'Reload the page. Scripts use a bearer token instead of a cookie.',
      },
    },
  },
  {
    title: 'Conflicts with the current state',
    codes: {
      not_found: {
        cause: "The route or resource doesn't exist in this tenant.",
        cure: 'Check the path and the ID. The matching list shows what exists.',
      },
      approval_decided: {
        cause: 'The call was already approved or denied, has expired, or its rule was deleted.',
        cure: 'Repeat the call in the client. If a rule still requires approval, it waits for approval again.',
      },
      already_exists: {
        cause: 'A resource with this name (or a policy with this `override_id`) already exists.',
        cure: 'Change the existing resource, or choose another name. For a policy, omit the ID or preview it again.',
      },
      tenant_not_empty: {
        cause: 'Sample data was requested for a tenant that has data.',
        cure: 'Use an empty tenant, or remove its content first.',
      },
      ambiguous_app_name: {
        cause: 'Several legacy apps have this name.',
        cure: 'The operator imports them again with unique names.',
      },
      collection_changed: {
        cause: 'Items were added to or removed from the list after the cursor was created.',
        cure: 'Start again without a cursor.',
      },
      idempotency_conflict: {
        cause: 'This `Idempotency-Key` was used with another body or path.',
        cure: 'Use a new key for a new request. Repeat a request exactly as first sent.',
      },
      idempotency_key_expired: {
        cause:
          "This `Idempotency-Key` belongs to a request from more than 24 hours ago. Its response is no longer stored, and the key can't be used again.",
        cure: 'Read the current state. Use a new key for a new request.',
      },
      legacy_app: {
        cause: "The app uses inline providers, so shared providers can't be attached or detached.",
        cure: 'Convert it with `provider-conversion`.',
      },
      not_a_legacy_app: {
        cause: 'The app already uses shared providers, so there is nothing to convert.',
        cure: 'Attach and detach providers instead.',
      },
      operation_superseded: {
        cause: 'The operation was recovered, but the app was changed after it.',
        cure: 'Read the app, then make the change again if you still need it.',
      },
      operation_not_recoverable: {
        cause: 'The operation was a creation, or is no longer stored.',
        cure: 'Repeat the original request with the same `Idempotency-Key`.',
      },
      policy_dependency: {
        cause: "Policy authority is enabled. Providers can't be removed from apps while it is.",
        cure: 'Disable policy authority first, or keep the provider.',
      },
      provider_dependency: {
        cause:
          "The provider is disabled, is the app's last provider, or is used by routing; the message names the reason.",
        cure: 'Enable it, attach another provider first, or change the routing.',
      },
      terminal_key_state: {
        cause: 'The key is expired or revoked. Both states are final.',
        cure: 'Create a new key.',
      },
      embedded_accounts: {
        cause:
          "No external login provider is configured, so a new user would need a first password, which a tenant's admin must not know.",
        cure: 'Invite the user in the console, or ask the operator to run `hub user create`.',
      },
      last_administrator: {
        cause: 'The tenant would have no admin left.',
        cure: 'Give another user the Admin role first.',
      },
      already_delivered: {
        cause: 'The delivery to retry was already delivered.',
        cure: 'No action needed. Send a test to check the channel.',
      },
      mail_not_configured: {
        cause:
          'An e-mail channel was created or enabled, but the server has no mail server configured.',
        cure: 'The operator sets `HUB_SMTP_URL` and `HUB_MAIL_FROM` and restarts the server.',
      },
      group_by_rule: {
        cause: "A device can't be added to or removed from a device group with a membership rule.",
        cure: 'Change the rule, or remove it (`rule: null`). The group then keeps its devices, and you can change them manually.',
      },
      group_in_use: {
        cause: 'The device group to delete is used by policies; the message names them.',
        cure: 'Remove those policies, or change the scope of the policies and notification channels. Then delete the group.',
      },
      default_policy: {
        cause: 'The policy is managed by a default policy.',
        cure: 'Change it with `PUT default-policies`.',
      },
      drift_hold: {
        cause:
          "The server created the policy because an approved app changed on that device. It can't be edited directly.",
        cure: 'Review the app, or change the drift policy with `PUT drift-policy`.',
      },
      product_policy: {
        cause: 'This policy belongs to a product policy.',
        cure: 'Change or remove the policy with `PATCH` or `DELETE product-policies/{policy_id}`; `product_policy_id` names it.',
      },
      rollback_conflict: {
        cause:
          'The version refers to something that no longer exists (a group, a definition, a login key, a model), or has a value that is no longer allowed; the message names it.',
        cure: 'Create it again with the same name, or restore another version.',
      },
      rollout_conflict: {
        cause:
          "The state of the rollout doesn't allow this: a second rollout was started, a percentage was set manually, or a finished rollout was paused or resumed.",
        cure: "Check the policy's `rollout`. Pause, resume or revert it, then try again.",
      },
      batch_id_reused: {
        cause: 'A `batch_id` was reused with a different body.',
        cure: 'Create a new ID for each batch. Keep the ID only when you resend the same bytes.',
      },
      cursor_expired: {
        cause:
          "The device's cursor is from before a restore, from another server, or older than 90 days in which something left the device's scope; or the device's policies differ from the expected ones. For a log export, where the status is 400, the cursor is older than the retention period.",
        cure: 'Pull again without a cursor. The agent does so automatically.',
      },
      precondition_failed: {
        cause: 'The resource changed after you read it.',
        cure: 'Read it again, review the changes, and repeat your change.',
      },
      precondition_required: {
        cause: 'A change was sent without `If-Match`.',
        cure: 'Read the resource and send its `version` as `If-Match`.',
      },
    },
  },
  {
    title: 'Temporary server errors: the same request may be sent again later',
    codes: {
      internal_error: {
        cause: 'An unexpected error on the server.',
        cure: "Find the request ID in the server's log, and report the log entry.",
      },
      overloaded: {
        cause:
          'More request bodies are in progress than this process has memory for, or more exports than it allows (64, or 32 per key).',
        cure: 'Retry after `Retry-After`. If it continues, add server processes.',
      },
      metrics_failed: {
        cause: "The metrics view couldn't be computed. The cause is in the log.",
        cure: 'Try again. If it continues, choose a shorter time range.',
      },
      central_service_required: {
        cause: 'A management request was sent to a hub with `HUB_ROLE` other than `central`.',
        cure: 'Send it to the central hub.',
      },
      operation_pending: {
        cause:
          "The result of the write isn't known yet: the first request is still running, or the database connection was lost while writing.",
        cure: 'Query `GET …/operations/{operation_id}` with the same key and recover it there, or repeat a creation with the same `Idempotency-Key`.',
      },
      database_unavailable: {
        cause: "PostgreSQL doesn't respond, is starting, is read-only, or is out of connections.",
        cure: "Retry after `Retry-After`. If it continues, check the server's log and `/readyz`.",
      },
      database_full: {
        cause: 'The database disk is full. Nothing of the request was saved; reading still works.',
        cure: 'Free up disk space, then send it again. Devices and collectors retry automatically.',
      },
      mcp_login_unavailable: {
        cause:
          "A user tried to connect to an MCP server, but its login doesn't respond, publishes nothing usable, or doesn't register clients; the message names the reason.",
        cure: "Check the requirements of the server's login, and enter the client and endpoints in the server's settings.",
      },
      mcp_server_silent: {
        cause:
          "The metadata of a passthrough server were requested, but the server doesn't respond.",
        cure: 'Check that the server is running, then try again.',
      },
      mcp_server_unavailable: {
        cause: "The server didn't return its list of tools; the message names the reason.",
        cure: 'Check that the server is running and that its credential is valid, then try again.',
      },
      login_provider_unavailable: {
        cause:
          "The keys of the login provider (`LOGIN_ISSUER`) couldn't be fetched, so admin tokens can't be verified.",
        cure: 'Retry after `Retry-After`. If it continues, check that the server can reach the provider.',
      },
      starting: {
        cause: 'The server has opened its port, but is not ready yet.',
        cure: 'Retry after `Retry-After`.',
      },
      docs_not_built: {
        cause: 'The server is running, but the documentation site was never built.',
        cure: 'Run `npm run docs` in the repository, and restart the hub.',
      },
      console_not_built: {
        cause: 'The server is running, but the console was never built.',
        cure: 'Run `npm run prepare` in the repository, and reload the page.',
      },
    },
  },
];
