// Static headers of a backend: sent with every request to the server besides what lets the gateway in. Their values may be
// secrets, so they are sealed and never read back.
import type { BackendInput, BackendPatch } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isReservedHeader } from './auth.ts';
import { type BackendRow, SEALED_HEADERS } from './store.ts';

type Key = readonly [tenantId: string, backendId: string];
type StoredHeaders = Pick<BackendRow, 'header_names' | 'sealed_headers'>;
type HeaderInput = NonNullable<BackendInput['headers'] | BackendPatch['headers']>;

/** Returns the header that carries the credential of this kind of sign-in, in lower case; null if it needs none. */
function credentialHeader(auth: BackendRow['auth']): string | null {
  switch (auth.kind) {
    case 'none':
      return null;
    case 'shared':
    case 'personal_key':
      return auth.header.toLowerCase();
    case 'oauth':
    case 'passthrough':
      return 'authorization';
  }
}

/** Throws `invalid_request`. A header without a value keeps the value that is stored under its name. */
export function sealedHeaders(
  sealer: Pick<Sealer, 'seal' | 'unseal'>,
  key: Key,
  sent: HeaderInput,
  { auth, before }: { auth: BackendRow['auth']; before: StoredHeaders | null },
): StoredHeaders {
  const stored = before === null ? {} : openHeaders(sealer, key, before);
  const values: Record<string, string> = {};
  for (const [index, { name, value }] of sent.entries()) {
    const refuse = (words: string) => {
      throw new HubError('invalid_request', `/headers/${index}/${words}`);
    };
    const lower = name.toLowerCase();
    if (isReservedHeader(lower)) refuse('name is a header that the gateway sets');
    if (lower === credentialHeader(auth)) refuse('name is the header of the credential');
    if (lower in values) refuse('name is a duplicate');
    const kept = value ?? stored[lower];
    if (kept === undefined) refuse('value is missing');
    values[lower] = kept as string;
  }
  const names = sent.map((header) => header.name);
  const isSame =
    before !== null &&
    JSON.stringify(names) === JSON.stringify(before.header_names) &&
    names.every((name) => values[name.toLowerCase()] === stored[name.toLowerCase()]);
  if (isSame) return { header_names: before.header_names, sealed_headers: before.sealed_headers };
  const sealed =
    names.length === 0
      ? null
      : sealer.seal(JSON.stringify(values), locationOf(SEALED_HEADERS, key));
  return { header_names: names, sealed_headers: sealed };
}

/** Throws `invalid_request` if a static header has the name of the credential's header. */
export function refuseCredentialHeader(names: readonly string[], auth: BackendRow['auth']): void {
  if (names.some((name) => name.toLowerCase() === credentialHeader(auth))) {
    throw new HubError('invalid_request', '/auth/header is also a static header');
  }
}

/** Returns the static headers of a backend by their names in lower case. */
export function openHeaders(
  sealer: Pick<Sealer, 'unseal'>,
  key: Key,
  { sealed_headers: sealed }: Pick<BackendRow, 'sealed_headers'>,
): Record<string, string> {
  if (sealed === null) return {};
  return JSON.parse(sealer.unseal(sealed, locationOf(SEALED_HEADERS, key))) as Record<
    string,
    string
  >;
}
