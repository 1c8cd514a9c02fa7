// Advice for the user of the command line about an error of the hub: the cause, and what to do.
import { codeOf, messageOf } from '../runtime/errors.ts';
import { HubRefused } from '../sync/backoff.ts';

const BY_CODE: Record<string, string> = {
  no_token: 'see token',
  invalid_tenant_id: 'check backend.tenant_id',
  invalid_subscriber_id: 'check backend.subscriber_id',
  tenant_mismatch:
    'the token is of another tenant: check backend.tenant_id, or enroll with a token of this tenant',
  subscriber_mismatch:
    'this device belongs to another user: correct backend.subscriber_id, or ask an admin to assign the device to you',
  device_token_required:
    'the hub has another token for this device (the data folder was copied or lost): ask an admin to retire the device and readmit it, then enroll again',
  enrol_only_token:
    'this token is for enrollment only: start the service, which enrolls the device',
  device_retired: 'an admin retired this device: ask for readmission, or uninstall the agent',
  tenant_suspended: 'the agent continues once it is resumed',
};

const BY_STATUS: Record<number, string> = {
  400: 'the hub rejected the request: check [backend], and that the versions of hub and agent match',
  401: 'the token is revoked, expired or wrong: enroll with a new token',
  403: 'the token belongs to another tenant, user or device',
  404: 'there is no device API at this address: check backend.base_url and the path in it',
  410: 'the hub was restored, or the local state is too old: the agent resynchronizes automatically',
  413: 'a proxy in front of the hub rejects requests of this size: raise its limit to 1 MiB',
  429: 'too many requests: the agent waits for the requested time and retries automatically',
};

const NO_CONNECTION = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/;

/** Advice about failed connections by a pattern of the error message; the first match applies. */
const BY_FAILURE: readonly [RegExp, string][] = [
  [
    /^30[1278]: .* leads to /,
    'redirects are not followed: where that is the hub, put it into backend.base_url; else sign in to the network\u2019s portal',
  ],
  [
    /shows another key/,
    'another server answers in place of the hub, or the hub has a new key: ask its operator before backend.pin_sha256 is changed',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    'have the certificate renewed, or set this device\u2019s clock',
  ],
  [/ALTNAME_INVALID/, 'its certificate is for another name: check backend.base_url'],
  [
    /^(UNABLE_TO_(VERIFY|GET)|SELF_SIGNED|DEPTH_ZERO|CERT_|ERR_TLS_CERT|ERR_SSL)|certificate/,
    'its certificate is not trusted here: put the company\u2019s authority into the system\u2019s store, or name it in backend.ca_file',
  ],
  [
    /EPROTO|wrong version number|packet length too long/,
    'what listens there speaks no TLS: check the port of backend.base_url, and whether a proxy is needed (backend.proxy)',
  ],
  [
    /establish tunnel.* 407 /,
    'the proxy wants a name and a password, or other ones: put them into backend.proxy (or HTTPS_PROXY)',
  ],
  [
    /operation was aborted|no whole answer within/,
    'the server accepts connections and does not answer: contact the operator of the hub, or of the proxy in front of it',
  ],
  [
    /establish tunnel/,
    'the proxy does not let it through: check backend.proxy (or HTTPS_PROXY and NO_PROXY)',
  ],
  [
    NO_CONNECTION,
    'check backend.base_url, the network, and whether a proxy is needed (backend.proxy)',
  ],
];

/**
 * Returns a clause for the user: the reason where it is known, and the next step. `proxy`: the proxy on the way to
 * the hub.
 */
export function adviseOn(error: unknown, proxy: string | null = null): string {
  if (error instanceof HubRefused) {
    const known = BY_CODE[error.code] ?? BY_STATUS[error.status];
    if (known !== undefined) return known;
    return error.status >= 500
      ? 'the hub is in trouble, or something in front of it'
      : 'the hub refused the request: contact its operator';
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const clues = [codeOf(cause) ?? '', messageOf(error)];
  // Nothing else is connected to then.
  if (proxy !== null && clues.some((text) => NO_CONNECTION.test(text))) {
    return `the proxy ${proxy} is not reached: check backend.proxy (or HTTPS_PROXY and NO_PROXY)`;
  }
  const found = BY_FAILURE.find(([pattern]) => clues.some((text) => pattern.test(text)));
  return (
    found?.[1] ?? 'this is no hub: check backend.base_url, or sign in to the network\u2019s portal'
  );
}
