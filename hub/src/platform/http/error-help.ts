// What each error code means for whoever gets it: cause and cure, in the order of docs/errors.md, whose tables `npm run dump`
// writes from here, and which the console's reference shows. Backticks are code.
import { ERRORS, type ErrorCode } from './error-list.ts';

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
    title: 'The request is wrong: sending it again unchanged fails again',
    codes: {
      invalid_request: {
        cause:
          'A field, query parameter or path parameter is missing, of the wrong type, out of its bounds or not known; the message points at it. Also a NUL character, a lone surrogate or a number that cannot be held.',
        cure: 'Correct what the pointer names.',
      },
      invalid_json: {
        cause:
          'The body is empty, not UTF-8, not JSON, nested deeper than 32 levels, holds too many values or names, or has a key such as `__proto__`.',
        cure: 'Send one JSON object in UTF-8.',
      },
      invalid_gzip: {
        cause: '`Content-Encoding: gzip` was said, but the bytes are damaged, cut off or not gzip.',
        cure: 'Compress the whole body as one gzip stream; where it worked before, look for a proxy that changes bodies.',
      },
      invalid_cursor: {
        cause: 'The cursor was changed, or it is of another list, tenant or filter.',
        cure: 'Take `next_cursor` exactly as the hub gave it, with the same filters; or start again without one.',
      },
      invalid_view: {
        cause: '`view` of the LLM log export is neither `logs` nor `metrics`.',
        cure: 'Leave it out, or say one of the two.',
      },
      before_retention: {
        cause:
          "The export's window begins or ends before what is kept: 15 days, or fewer where the tenant set fewer.",
        cure: 'Ask for a later window.',
      },
      invalid_tenant_id: {
        cause: "A device's request has no `X-Tenant-ID`, or it is not a UUID.",
        cure: "Set the tenant's id as the console shows it.",
      },
      invalid_subscriber_id: {
        cause: '`X-Subscriber-ID` is missing, longer than 128 characters or not printable ASCII.',
        cure: "Set the subscriber in the agent's configuration.",
      },
      invalid_device_id: {
        cause:
          '`X-Device-ID` is missing on a GET, is not a UUID, or is not the device that the body names.',
        cure: 'Let the agent send the id that it made for this machine, the same in both places.',
      },
      invalid_if_match: {
        cause: '`If-Match` is `*`, or not a list of quoted ETags.',
        cure: 'Send the quoted `version` of the thing, such as `"3"`.',
      },
      url_not_allowed: {
        cause:
          'The hub may not call this URL: it is not https, holds a user name, leads to the hub itself, or to an address that is not public.',
        cure: 'Give a public https URL; for one inside your network, ask the operator to name the network in `HUB_ALLOWED_PRIVATE_NETWORKS`.',
      },
      batch_too_large: {
        cause: 'A batch holds more than 50 items.',
        cure: 'Split it; each part gets its own `batch_id`.',
      },
      request_timeout: {
        cause:
          'The headers did not arrive within 10 seconds, or the whole request within 30 (within 10 at the management API).',
        cure: 'Send it again over a better connection.',
      },
      too_many_requests: {
        cause:
          'This token or device sends more than it may (see `HUB_TOKEN_RATE` and `HUB_DEVICE_RATE`), or this process works on 32 management requests or on 8 provider tests of the tenant already; or a person asked for more exceptions than one may (20 open, 50 a day).',
        cure: 'Wait as `Retry-After` says.',
      },
      headers_too_large: {
        cause: "The request's headers are larger than 16 KiB.",
        cure: 'Leave out cookies and headers that are not for the hub.',
      },
      body_too_large: {
        cause:
          'The body is larger than 1 MiB as sent, or than 4 MiB when inflated; of logs, larger than 8 MiB as sent or inflated.',
        cure: 'Send smaller batches.',
      },
      uri_too_long: {
        cause: 'A part of the path is too long.',
        cure: 'Use ids as the hub gave them.',
      },
      gzip_required: {
        cause: "A device's POST came without `Content-Encoding: gzip`.",
        cure: 'Compress the body and say so.',
      },
      unsupported_media_type: {
        cause: "The body's `Content-Type` is not `application/json`.",
        cure: 'Send JSON, and say so.',
      },
    },
  },
  {
    title: 'Who asks, and what they may',
    codes: {
      invalid_agent_token: {
        cause: 'The agent token is missing, mistyped, unknown, expired or revoked.',
        cure: 'Make a new one with `npm run hub -- token agent` and enrol the machine with it.',
      },
      invalid_management_key: {
        cause: 'The management key is missing, mistyped, unknown, expired or revoked.',
        cure: 'Issue a new one at `POST …/tenants/{tenant_id}/keys`.',
      },
      invalid_node_token: {
        cause: "A gateway node's token is missing, mistyped, unknown, expired or revoked.",
        cure: 'Make a new one with `npm run hub -- token node`.',
      },
      invalid_scim_token: {
        cause:
          "A directory's token is missing, mistyped, unknown, expired or revoked, or its tenant is suspended.",
        cure: "Make a new one on the console's page *Settings*, and give it to the directory.",
      },
      invalid_log_export_key: {
        cause:
          '`X-Gw-Log-Export-Key` is missing, is not of the form of such a key, or was never issued.',
        cure: 'Send the log-export key as it was issued; no other kind of key opens the export.',
      },
      log_export_key_inactive: {
        cause:
          'The log-export key is revoked or expired; or its app is disabled or has no key that works, its backend is disabled or deleted, or its tenant suspended.',
        cure: 'Have a new key issued, or what it belongs to enabled. Trying again does not help.',
      },
      wrong_log_export_key: {
        cause: 'A key for LLM logs was sent to the MCP export, or the reverse.',
        cure: 'Use the key of this endpoint.',
      },
      unauthenticated: {
        cause: 'There is no session, or it ended; for `/metrics`, the token is missing or wrong.',
        cure: 'Sign in again, or send a bearer token.',
      },
      invalid_token: {
        cause: "The administrator's JWT is malformed, expired, or signed by somebody else.",
        cure: 'Make a new one with `npm run hub -- token admin`, or ask your login provider for one.',
      },
      device_retired: {
        cause: 'An administrator retired this device; whatever token it sends, it may do nothing.',
        cure: 'Admit it again on its page in the console.',
      },
      tenant_mismatch: {
        cause: '`X-Tenant-ID` is not the tenant that the agent token belongs to.',
        cure: "Use a token of this tenant, or correct the tenant's id.",
      },
      device_token_required: {
        cause: 'This device got a token of its own when it enrolled, but another one was used.',
        cure: "Use the device's own token; where it was lost, have an administrator retire the device and admit it again, then enrol the machine.",
      },
      enrol_only_token: {
        cause: 'The token opens nothing but enrolment.',
        cure: 'Enrol with it, then use the token that the answer holds.',
      },
      subscriber_mismatch: {
        cause: 'The device belongs to another subscriber than `X-Subscriber-ID` names.',
        cure: "Correct the agent's subscriber, or enrol the machine anew for that subscriber.",
      },
      insufficient_scope: {
        cause: 'The management key lacks a scope that the route needs; the message names it.',
        cure: 'Issue a key with that scope.',
      },
      management_disabled_for_tenant: {
        cause: 'The tenant did not opt in to the management API, or is suspended.',
        cure: 'An administrator enables it at `PATCH …/tenants/{tenant_id}/settings`.',
      },
      forbidden: {
        cause:
          'The person or token has no role in this tenant that allows this; a tenant that does not exist is answered alike, but to a token that lists it (404).',
        cure: 'Ask an administrator of the tenant for the role.',
      },
      csrf_required: {
        cause:
          'A change came with a session cookie, but `X-CSRF-Token` is missing or of another session.',
        cure: 'Reload the page. Scripts use a bearer token instead of a cookie.',
      },
    },
  },
  {
    title: 'The state of things',
    codes: {
      not_found: {
        cause: 'There is no such route, or no such thing in this tenant.',
        cure: 'Look at the path and the id; the list of its kind shows what there is.',
      },
      approval_decided: {
        cause:
          'A call that waited for approval was granted or denied by somebody, expired, or its rule is gone.',
        cure: 'Let the client call again: where a rule still asks for it, the call waits anew.',
      },
      already_exists: {
        cause: 'A thing with this name (a decision with this `override_id`) is there already.',
        cure: 'Change the one that is there, or choose another name; for a decision leave the id out, or preview anew.',
      },
      ambiguous_app_name: {
        cause: 'Several legacy apps have this name.',
        cure: 'The operator imports them again under names of their own.',
      },
      collection_changed: {
        cause: 'Something came to the list, or went, since the cursor was made.',
        cure: 'Start again without a cursor.',
      },
      idempotency_conflict: {
        cause: 'This `Idempotency-Key` was used with another body or path.',
        cure: 'Use a new key for a new request; repeat a request with exactly what it had.',
      },
      idempotency_key_expired: {
        cause:
          'This `Idempotency-Key` belongs to a request of more than 24 hours ago. Its answer is not kept, and the key never makes a second one.',
        cure: 'Read what is there; use a new key for a new request.',
      },
      legacy_app: {
        cause: 'The app has providers of its own, so shared ones cannot be attached or detached.',
        cure: 'Convert it with `provider-conversion`.',
      },
      not_a_legacy_app: {
        cause: 'A conversion was asked for an app that has shared providers already.',
        cure: 'Attach and detach providers instead.',
      },
      operation_superseded: {
        cause: 'The operation was to be carried out again, but the app was changed since.',
        cure: 'Read the app; make the change anew if it is still wanted.',
      },
      operation_not_recoverable: {
        cause: 'The operation was a creation, or nothing of it is kept any more.',
        cure: 'Repeat the original request with the same `Idempotency-Key`.',
      },
      policy_dependency: {
        cause: 'Policy authority is enabled, and providers cannot be taken from apps while it is.',
        cure: 'Have policy authority switched off first, or leave the provider.',
      },
      provider_dependency: {
        cause:
          'The provider is disabled, is the last one of the app, or routing refers to it; the message says which.',
        cure: 'Enable it, attach another one first, or change the routing.',
      },
      terminal_key_state: {
        cause: 'The key is expired or revoked: both are final.',
        cure: 'Issue a new key.',
      },
      embedded_accounts: {
        cause:
          'The hub has no login provider of your own, so a new person would need a first password, which a tenant’s administrator must not know.',
        cure: 'Let the operator run `hub user create`.',
      },
      last_administrator: {
        cause: 'Nobody would be left who may administer the tenant.',
        cure: 'Give another person the role Admin first.',
      },
      already_delivered: {
        cause: 'A delivery was to be tried again that has arrived already.',
        cure: 'Nothing: it arrived. Send a test to try the route.',
      },
      mail_not_configured: {
        cause: 'An e-mail route was made or enabled, but the hub knows no mail server.',
        cure: 'The operator sets `HUB_SMTP_URL` and `HUB_MAIL_FROM` and starts the hub again.',
      },
      group_by_rule: {
        cause:
          'A device was to be put into a device group, or taken out of one, whose rule says who is in it.',
        cure: 'Change the rule, or take it away (`rule: null`): then its devices stay, and may be changed by hand.',
      },
      group_in_use: {
        cause:
          'A device group was to be deleted while decisions hold for it; the message names them.',
        cure: 'Withdraw those decisions, or let them and the alert routes hold for somebody else; then delete the group.',
      },
      default_policy: {
        cause: 'The override stands for a default policy.',
        cure: 'Change it with `PUT default-policies`.',
      },
      drift_hold: {
        cause:
          'The hub made the override because an approved application drifted on that device; people do not change it.',
        cure: 'Review the application, or set what counts meanwhile with `PUT drift-policy`.',
      },
      product_policy: {
        cause: 'The override belongs to a policy for a product.',
        cure: 'Change or remove the policy with `PATCH` or `DELETE product-policies/{policy_id}`; the override names it in `product_policy_id`.',
      },
      rollback_conflict: {
        cause:
          'A version cannot be taken back: what it refers to (a group, a definition, a login key, a model) is not there any more, or it holds a value that is not allowed any more; the message says what.',
        cure: 'Make that again under its name, or roll back to another version.',
      },
      rollout_conflict: {
        cause:
          'The rollout of the override is not in a state that allows this: a second one was started, a percentage was set by hand, or one that has ended was paused or resumed.',
        cure: "Look at the override's `rollout`; pause, resume or revert it, then try again.",
      },
      batch_id_reused: {
        cause: 'A `batch_id` that was used before came with another body.',
        cure: 'Make a new id for each batch; only a repeated send of the same bytes keeps its id.',
      },
      cursor_expired: {
        cause:
          "A device's cursor is from before a restore, from another hub, older than 90 days in which something left the device, or what the device holds differs from what it should hold. Of a log export, where it is a 400: it is older than what is kept.",
        cure: 'Pull again without a cursor; the agent does so by itself.',
      },
      precondition_failed: {
        cause: 'It was changed after you read it.',
        cure: 'Read it again, look at what changed, and decide again.',
      },
      precondition_required: {
        cause: 'A change came without `If-Match`.',
        cure: 'Read the thing, and send its `version` as `If-Match`.',
      },
    },
  },
  {
    title: 'The hub could not: the same request may be sent again later',
    codes: {
      internal_error: {
        cause: 'A fault in the hub.',
        cure: "Find the request id in the hub's log, and report what stands there.",
      },
      overloaded: {
        cause:
          'More bodies are under way than this process has memory for, or more exports than it takes (64; of one key 32).',
        cure: 'Send again after `Retry-After`; add hub processes where it goes on.',
      },
      metrics_failed: {
        cause: 'The metrics view could not be made. The cause is in the log.',
        cure: 'Try again; where it goes on, ask for a smaller window.',
      },
      central_service_required: {
        cause: 'A management request came to a hub with `HUB_ROLE` other than `central`.',
        cure: 'Send it to the central service.',
      },
      operation_pending: {
        cause:
          'It is not known yet whether the write was done: the first request still runs, or the database went away in the middle.',
        cure: 'Ask `GET …/operations/{operation_id}` with the same key and recover it there, or repeat a creation with the same `Idempotency-Key`.',
      },
      database_unavailable: {
        cause:
          'PostgreSQL does not answer, is starting, is read-only for now, or is out of connections.',
        cure: "Send again after `Retry-After`. Where it lasts, see the hub's log and `/readyz`.",
      },
      database_full: {
        cause:
          'The disk of the database has no room left. Nothing of the request was stored; reading works.',
        cure: 'Make room (docs/operations.md); then send again. Devices and collectors do so by themselves.',
      },
      mcp_login_unavailable: {
        cause:
          'A person wanted to connect with an MCP server, but its login does not answer, publishes nothing usable, or registers no clients; the message says which.',
        cure: "See what the server's login needs, and name client and addresses in the backend's settings.",
      },
      mcp_server_silent: {
        cause: 'The metadata of a passthrough server were asked for, but it does not answer.',
        cure: 'See that it runs, then again.',
      },
      mcp_server_unavailable: {
        cause:
          "A backend's tools were to be approved, but the server gave no list; the message says why.",
        cure: 'See that it runs and that its credential is right, then again.',
      },
      login_provider_unavailable: {
        cause:
          "The keys of the login provider (`LOGIN_ISSUER`) could not be fetched, so an administrator's token cannot be checked.",
        cure: 'Send again after `Retry-After`. Where it lasts, see whether the hub reaches the provider.',
      },
      starting: {
        cause: 'The hub has opened its port, but is not ready yet.',
        cure: 'Send again after `Retry-After`.',
      },
      console_not_built: {
        cause: "The hub runs, but the console's files were never built.",
        cure: 'Run `npm run prepare` in the repository, and reload the page.',
      },
    },
  },
];

/** The rest of docs/errors.md below its introduction: a table for each section. */
export function errorTables(): string {
  return ERROR_SECTIONS.map(({ title, codes }) => {
    const rows = Object.entries(codes).map(
      ([code, { cause, cure }]) =>
        `| \`${code}\` | ${ERRORS[code as ErrorCode].status} | ${cause} | ${cure} |`,
    );
    return [
      `## ${title}`,
      '',
      '| Code | Status | Cause | Cure |',
      '|---|---|---|---|',
      ...rows,
      '',
    ];
  })
    .map((lines) => lines.join('\n'))
    .join('\n');
}
