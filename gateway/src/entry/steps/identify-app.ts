// Step 1: finds the app of a request by its key, and requires that app and key are in force.
import { hashSecretHex } from '@gatewarden/shared/secrets.ts';
import type {
  AppKey,
  ConfigSnapshot,
  DeliveredApp,
  TenantSnapshot,
} from '../../config/documents.ts';
import type { Verdict } from '../../policy/index.ts';

export interface IdentifiedApp {
  tenant: TenantSnapshot;
  app: DeliveredApp;
  key: AppKey;
}

/** Headers in which the vendors' SDKs send a key. */
const KEY_HEADERS = ['x-api-key', 'api-key', 'x-goog-api-key', 'api-subscription-key'] as const;
const REMEDY = 'Use an active key of an app.';

/** Returns app and key. Rejects with 401 an unknown or expired key, with 403 a disabled app, with 503 without snapshot. */
export function identifyApp(
  snapshot: ConfigSnapshot | null,
  headers: Readonly<Record<string, string>>,
  now: number,
): Verdict<IdentifiedApp> {
  if (snapshot === null) {
    return {
      ...refuse(
        503,
        'not_configured',
        'This gateway node has no configuration yet. Repeat the request.',
      ),
      retryAfterSeconds: 2,
    };
  }
  const secret = readAppKey(headers);
  if (secret === null)
    return refuse(401, 'app_key_missing', `The request has no app key. ${REMEDY}`);
  const key = snapshot.keys.get(hashSecretHex(secret));
  const tenant = key === undefined ? undefined : snapshot.tenants.get(key.tenantId);
  const app = key === undefined ? undefined : tenant?.apps.get(key.appId);
  if (key === undefined || tenant === undefined || app === undefined) {
    return refuse(401, 'invalid_app_key', `The app key is not valid. ${REMEDY}`);
  }
  if (key.expiresAt <= now) return refuse(401, 'expired_app_key', `The app key expired. ${REMEDY}`);
  if (!app.enabled) {
    return refuse(403, 'app_disabled', 'This app is disabled. Ask an administrator to enable it.');
  }
  return { passed: true, value: { tenant, app, key } };
}

/** Returns the key that a request carries, or null. */
function readAppKey(headers: Readonly<Record<string, string>>): string | null {
  const bearer = /^Bearer\s+(gwk_\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const named = KEY_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  return named ?? readSignedKey(headers.authorization ?? '');
}

/**
 * Returns the access key id of a request that an AWS SDK signed (SigV4). The SDK sends the app key as access key id; the
 * signature proves nothing here, because the node does not know the secret access key.
 */
function readSignedKey(authorization: string): string | null {
  return /^AWS4-HMAC-SHA256 Credential=([^/]+)\//.exec(authorization)?.[1] ?? null;
}

function refuse(status: 401 | 403 | 503, code: string, reason: string) {
  return { passed: false, status, code, reason } as const;
}
