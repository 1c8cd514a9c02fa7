// Credentials for AWS: stored keys, or those of a role that the stored keys (or the environment's) may assume.
import type { ProviderSettings } from '@gatewarden/shared/wire/management/providers.ts';
import { AwsV4Signer } from 'aws4fetch';
import { ProviderMisconfigured } from './misconfigured.ts';

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

interface AssumedRole {
  credentials: AwsCredentials;
  expiresAt: number;
}

/** A session is renewed this long before its end. */
const MARGIN_MS = 120_000;
const SESSION_SECONDS = 3_600;

/** Sessions by the settings of the provider, which keep their identity while the configuration is unchanged. */
const sessions = new WeakMap<ProviderSettings, Promise<AssumedRole>>();

/** Returns the credentials of the settings. Throws ProviderMisconfigured. */
export async function loadAwsCredentials(
  settings: ProviderSettings,
  fetch: typeof globalThis.fetch,
): Promise<AwsCredentials> {
  if (settings.vendorG_auth_mode !== 'assume_role') return readStoredKeys(settings);
  const current = await sessions.get(settings)?.catch(() => undefined);
  if (current !== undefined && current.expiresAt - MARGIN_MS > Date.now())
    return current.credentials;
  const session = assumeRole(settings, fetch);
  sessions.set(settings, session);
  return (await session).credentials;
}

function readStoredKeys(settings: ProviderSettings): AwsCredentials {
  const accessKeyId = settings.vendorG_access_key ?? process.env.AWS_ACCESS_KEY_ID;
  const secretAccessKey = settings.vendorG_secret_key ?? process.env.AWS_SECRET_ACCESS_KEY;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ProviderMisconfigured('has no AWS access key');
  }
  const sessionToken =
    settings.vendorG_access_key === undefined
      ? process.env.AWS_SESSION_TOKEN
      : settings.vendorG_session_token;
  return {
    accessKeyId: String(accessKeyId),
    secretAccessKey: String(secretAccessKey),
    ...(sessionToken === undefined ? {} : { sessionToken: String(sessionToken) }),
  };
}

/** Calls `AssumeRole` of the AWS Security Token Service, API version 2011-06-15. */
async function assumeRole(
  settings: ProviderSettings,
  fetch: typeof globalThis.fetch,
): Promise<AssumedRole> {
  const region = String(settings.vendorG_region);
  const query = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: String(settings.vendorG_role_arn),
    RoleSessionName: String(settings.vendorG_role_session_name ?? 'gatewarden'),
    DurationSeconds: String(settings.vendorG_session_duration_seconds ?? SESSION_SECONDS),
  });
  if (settings.vendorG_external_id !== undefined) {
    query.set('ExternalId', String(settings.vendorG_external_id));
  }
  const signer = new AwsV4Signer({
    ...readStoredKeys(settings),
    method: 'POST',
    url: `https://sts.${region}.amazonaws.com/`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query.toString(),
    service: 'sts',
    region,
  });
  const { method, url, headers, body } = await signer.sign();
  const answer = await fetch(url.href, {
    method,
    headers: Object.fromEntries(headers),
    body: body as string,
  });
  const text = await answer.text();
  if (!answer.ok) throw new ProviderMisconfigured(`cannot assume its AWS role (${answer.status})`);
  const read = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1] ?? '';
  return {
    credentials: {
      accessKeyId: read('AccessKeyId'),
      secretAccessKey: read('SecretAccessKey'),
      sessionToken: read('SessionToken'),
    },
    expiresAt: Date.parse(read('Expiration')),
  };
}
