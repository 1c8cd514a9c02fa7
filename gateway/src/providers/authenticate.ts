// Adds a provider's credentials to a request. Credentials appear in headers of the upstream request only.
import type { ProviderSettings } from '@gatewarden/shared/wire/management/providers.ts';
import { AwsV4Signer } from 'aws4fetch';
import { loadAwsCredentials } from './aws-credentials.ts';
import { loadGoogleToken } from './google-token.ts';
import { ProviderMisconfigured } from './misconfigured.ts';
import { signForOracle } from './oracle-signature.ts';
import type { Authentication } from './table.ts';

interface UnsignedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const UNSUPPORTED_MODES = new Set([
  'gateway_user_principal',
  'instance_principal',
  'resource_principal',
]);
/** Anthropic requires a version; a provider or a client may name another. */
const ANTHROPIC_VERSION = '2023-06-01';

/** Adds the headers of the authentication. Throws ProviderMisconfigured, also for a mode that nodes do not support. */
export async function authenticate(
  request: UnsignedRequest,
  authentication: Authentication,
  settings: ProviderSettings,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const mode = settings.auth_type;
  if (typeof mode === 'string' && UNSUPPORTED_MODES.has(mode)) {
    throw new ProviderMisconfigured(
      `uses the authentication mode ${mode}, which a gateway node does not support`,
    );
  }
  const { headers } = request;
  const key = settings.api_key === undefined ? null : String(settings.api_key);
  switch (authentication) {
    case 'bearer':
      if (key !== null) headers.authorization = `Bearer ${key}`;
      return;
    case 'x-api-key':
      if (key !== null) headers['x-api-key'] = key;
      headers['anthropic-version'] ??= String(settings.vendorC_version ?? ANTHROPIC_VERSION);
      return;
    case 'api-key':
    case 'api-subscription-key':
      if (key !== null) headers[authentication] = key;
      return;
    case 'google':
      if (mode === 'express') headers['x-goog-api-key'] = key ?? '';
      else headers.authorization = `Bearer ${await loadGoogleToken(settings, fetch)}`;
      return;
    case 'aws':
      await signForAws(request, settings, fetch);
      return;
    case 'oracle':
      headers['opc-compartment-id'] = String(settings.vendorF_compartment_id);
      headers.compartmentid = String(settings.vendorF_compartment_id);
      signForOracle(request, settings);
  }
}

async function signForAws(
  request: UnsignedRequest,
  settings: ProviderSettings,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const { method, url, headers, body } = request;
  const signer = new AwsV4Signer({
    ...(await loadAwsCredentials(settings, fetch)),
    method,
    url,
    headers,
    body: body as Uint8Array<ArrayBuffer> | null,
    service: 'bedrock',
    region: String(settings.vendorG_region),
  });
  const signed = await signer.sign();
  request.url = signed.url.href;
  for (const [name, value] of signed.headers) headers[name] = value;
}
