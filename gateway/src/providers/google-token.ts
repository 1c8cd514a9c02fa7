// Access tokens for Google Cloud: of a stored service account, or of the environment (application default credentials).
// The library caches a token until shortly before it expires.
import type { ProviderSettings } from '@gatewarden/shared/wire/management/providers.ts';
import { GoogleAuth, JWT } from 'google-auth-library';
import { ProviderMisconfigured } from './misconfigured.ts';

const SCOPES = ['https://www.googleapis.com/auth/cloud-platform'];

interface TokenSource {
  getAccessToken(): Promise<{ token?: string | null } | string | null | undefined>;
}

/** Token sources by the settings of the provider, which keep their identity while the configuration is unchanged. */
const sources = new WeakMap<ProviderSettings, TokenSource>();

/** Returns an access token. Throws ProviderMisconfigured. */
export async function loadGoogleToken(
  settings: ProviderSettings,
  fetch: typeof globalThis.fetch,
): Promise<string> {
  let source = sources.get(settings);
  if (source === undefined) {
    source = createSource(settings, fetch);
    sources.set(settings, source);
  }
  let answer: Awaited<ReturnType<TokenSource['getAccessToken']>>;
  try {
    answer = await source.getAccessToken();
  } catch {
    throw new ProviderMisconfigured('cannot get an access token from Google');
  }
  const token = typeof answer === 'string' ? answer : answer?.token;
  if (!token) throw new ProviderMisconfigured('cannot get an access token from Google');
  return token;
}

function createSource(settings: ProviderSettings, fetch: typeof globalThis.fetch): TokenSource {
  if (settings.auth_type === 'adc') return new GoogleAuth({ scopes: SCOPES });
  const account = parseAccount(settings.service_account_json);
  return new JWT({
    email: String(account.client_email),
    key: String(account.private_key),
    scopes: SCOPES,
    transporterOptions: { fetchImplementation: fetch },
  });
}

function parseAccount(text: unknown): { client_email?: unknown; private_key?: unknown } {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new ProviderMisconfigured('has a service account that is not valid JSON');
  }
}
