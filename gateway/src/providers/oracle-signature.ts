// Request signatures of Oracle Cloud Infrastructure: HTTP Signatures (draft-cavage-http-signatures-08) with RSA-SHA256,
// https://docs.oracle.com/en-us/iaas/Content/API/Concepts/signingrequests.htm.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import type { ProviderSettings } from '@gatewarden/shared/wire/management/providers.ts';
import { ProviderMisconfigured } from './misconfigured.ts';

interface SignedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Adds `date`, `authorization` and, with a body, its digest to the headers. Throws ProviderMisconfigured. */
export function signForOracle(
  request: SignedRequest,
  settings: ProviderSettings,
  now: Date = new Date(),
): void {
  const { method, url, headers, body } = request;
  const { host, pathname, search } = new URL(url);
  headers.date = now.toUTCString();
  const lines: [string, string][] = [
    ['date', headers.date],
    ['(request-target)', `${method.toLowerCase()} ${pathname}${search}`],
    ['host', host],
  ];
  if (body !== null) {
    headers['x-content-sha256'] = createHash('sha256').update(body).digest('base64');
    headers['content-length'] = String(body.length);
    lines.push(
      ['content-length', headers['content-length']],
      ['content-type', headers['content-type'] ?? 'application/json'],
      ['x-content-sha256', headers['x-content-sha256']],
    );
  }
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
  const signature = sign('RSA-SHA256', Buffer.from(text), readPrivateKey(settings)).toString(
    'base64',
  );
  const names = lines.map(([name]) => name).join(' ');
  headers.authorization = `Signature version="1",keyId="${keyIdOf(settings)}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`;
}

function keyIdOf(settings: ProviderSettings): string {
  if (settings.auth_type === 'session_principal') return `ST$${settings.vendorF_session_token}`;
  const {
    vendorF_tenancy_id: tenancy,
    vendorF_user_id: user,
    vendorF_fingerprint: print,
  } = settings;
  return `${tenancy}/${user}/${print}`;
}

function readPrivateKey(settings: ProviderSettings) {
  const { vendorF_private_key: key, vendorF_private_key_passphrase: passphrase } = settings;
  try {
    return createPrivateKey({
      key: String(key ?? ''),
      ...(passphrase === undefined ? {} : { passphrase: String(passphrase) }),
    });
  } catch {
    throw new ProviderMisconfigured('has a private key that cannot be read');
  }
}
