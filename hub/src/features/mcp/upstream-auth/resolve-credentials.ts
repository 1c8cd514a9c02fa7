// Resolution of the credential for a call, by the kind of sign-in of the backend. The caller's own token is sent to a passthrough
// server only.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import type { Caller, PersonInTenant } from '../access-tokens/index.ts';
import { type BackendRow, openHeaders, SEALED_AUTH } from '../backends/index.ts';
import {
  type Backend,
  CredentialRequiredError,
  ServerDeniedError,
  TokenRejectedError,
  UserRemovedError,
  unavailableError,
} from '../upstream/index.ts';
import type { UserKeys } from './keys/keys.ts';
import { LoginUnavailableError, type OAuthConnections } from './oauth/connections.ts';
import type { GrantKey } from './oauth/store.ts';

export type Asking = Pick<Caller, 'userId' | 'upstreamToken' | 'email'> & { tenantId: string };

export interface CredentialDeps {
  sealer: Sealer;
  connections: UserKeys;
  grants: OAuthConnections;
  origin: string;
  /** Returns whether the user still has access. A stream with the user's key may be open for days. */
  isLetIn(person: PersonInTenant): Promise<boolean>;
  /** Returns whether the current access policies allow the user at least a part of the server. */
  reaches(tenantId: string, backendId: string, email: string): Promise<boolean>;
}

/** Returns the static headers and the credential for this caller, and the renewal after a rejection. */
export function credentialsFor(
  deps: CredentialDeps,
  asking: Asking,
  row: BackendRow,
): Pick<Backend, 'credentials' | 'renewCredentials'> {
  const { credentials, renewCredentials: after } = signInFor(deps, asking, row);
  if (row.sealed_headers === null)
    return { credentials, ...(after && { renewCredentials: after }) };
  const key = [asking.tenantId, row.backend_id] as const;
  const withHeaders = async (credential: Promise<Record<string, string>>) => ({
    ...openHeaders(deps.sealer, key, row),
    ...(await credential),
  });
  return {
    credentials: () => withHeaders(credentials()),
    ...(after && { renewCredentials: (refused) => withHeaders(after(refused)) }),
  };
}

function signInFor(
  { sealer, connections, grants, origin, isLetIn, reaches }: CredentialDeps,
  { tenantId, userId, upstreamToken, email }: Asking,
  row: BackendRow,
): Pick<Backend, 'credentials' | 'renewCredentials'> {
  const { auth, backend_id: backendId, name } = row;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  // A direct API token names a person; it does not prove that it is theirs.
  const missing = (words: string) =>
    userId === null
      ? new CredentialRequiredError(`The MCP server "${name}" requires a signed-in user.`, null)
      : new CredentialRequiredError(
          words,
          `${origin}/console/t/${tenantId}/my/connect/connections?connect=${backendId}`,
        );
  const stillHere = async (id: string) => {
    if (!(await isLetIn({ tenantId, userId: id, email }))) throw new UserRemovedError();
    if (!(await reaches(tenantId, backendId, email))) throw new ServerDeniedError(name);
  };
  switch (auth.kind) {
    case 'none':
      return { credentials: async () => ({}) };
    case 'passthrough':
      return {
        credentials: async () => (upstreamToken === null ? {} : bearer(upstreamToken)),
        renewCredentials: () => Promise.reject(new TokenRejectedError()),
      };
    case 'shared':
      return {
        async credentials() {
          const place = locationOf(SEALED_AUTH, [tenantId, backendId]);
          const secret = sealer.unseal(row.sealed_auth ?? '', place);
          return { [auth.header.toLowerCase()]: `${auth.prefix}${secret}` };
        },
      };
    case 'personal_key':
      return {
        async credentials() {
          const key = userId === null ? null : { tenantId, backendId, userId };
          if (userId !== null) await stillHere(userId);
          const secret = key === null ? null : await connections.secretOf(key, row.url);
          if (secret === null) {
            throw missing(`The MCP server "${name}" requires your own API key.`);
          }
          return { [auth.header.toLowerCase()]: `${auth.prefix}${secret}` };
        },
      };
    case 'oauth': {
      const backend = { ...row, auth, tenantId };
      const opened = async (ask: (key: GrantKey) => Promise<string | null>) => {
        const words = `Connect (or reconnect) to the MCP server "${name}" first.`;
        if (userId === null) throw missing(words);
        await stillHere(userId);
        const token = await ask({ tenantId, backendId, userId }).catch((error: unknown) => {
          if (!(error instanceof LoginUnavailableError)) throw error;
          throw unavailableError(row, "its login doesn't respond");
        });
        if (token === null) throw missing(words);
        return bearer(token);
      };
      return {
        credentials: () => opened((key) => grants.tokenFor(key, backend)),
        renewCredentials: ({ authorization = '' }) =>
          opened((key) => grants.tokenAfter(key, backend, authorization.slice('Bearer '.length))),
      };
    }
  }
}
