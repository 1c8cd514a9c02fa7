// A test of a connection: the server is asked for its tools as a client would ask, in a session that ends with the test.
import { randomBytes } from 'node:crypto';
import type { AuthKind } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { ConnectionTest } from '@gatewarden/shared/wire/console/mcp-server-health.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { fetchCurrentTools } from '../catalog/index.ts';
import { RpcError } from '../protocol/index.ts';
import {
  type Backend,
  CredentialRequiredError,
  createCircuitBreaker,
  deleteUpstreamSessions,
  TokenRejectedError,
  type Upstreams,
} from '../upstream/index.ts';

const TEST_MS = 20_000;
const TOOLS_MAX = 500;
const DESCRIPTION_CHARS = 500;

const REJECTED: Record<'none' | 'shared', string> = {
  none: 'The server requires authentication. Choose another sign-in.',
  shared: 'The server rejected the credential.',
};

interface TestContext {
  db: Db;
  upstreams: Upstreams;
}

/**
 * Tests the connection to a server. A server whose users have credentials of their own passes when it requires
 * authentication. Never throws.
 */
export async function testConnection(
  context: TestContext,
  backend: Backend,
  authKind: AuthKind,
): Promise<ConnectionTest> {
  const startedMs = performance.now();
  const outcome = await listTools(context, backend)
    .catch((error: unknown) => {
      // Without a credential of the administrator's own, the test proves that the server responds.
      if (!(error instanceof CredentialRequiredError)) throw error;
      return listTools(context, { ...backend, credentials: async () => ({}), ...NO_RENEWAL });
    })
    .then(
      (tools) => ({ outcome: 'connected' as const, error: null, tools }),
      (error: unknown) => ({ ...failureOf(error, authKind), tools: [] }),
    );
  return { ...outcome, latency_ms: Math.round(performance.now() - startedMs) };
}

/** A rejected credential is not renewed, so that the rejection is the result. */
const NO_RENEWAL: Pick<Backend, 'renewCredentials'> = {
  renewCredentials: () => Promise.reject(new TokenRejectedError()),
};

/** Lists the tools in a session that ends with the list. Throws RpcError, or an abort error after 20 s. */
async function listTools(
  { db, upstreams }: TestContext,
  backend: Backend,
): Promise<ConnectionTest['tools']> {
  const target = { ...NO_RENEWAL, ...backend };
  const owner = { hash: randomBytes(32), capabilities: {}, logLevel: null };
  // A circuit of the test alone: an open circuit of calls must not hide that the server responds again.
  const breaker = createCircuitBreaker(() => performance.now());
  try {
    const context = { owner, upstreams, breaker, userKey: 'test' };
    const tools = await fetchCurrentTools(context, target, AbortSignal.timeout(TEST_MS));
    return tools.slice(0, TOOLS_MAX).map(describeTool);
  } finally {
    // The result does not wait for the server to end the session.
    upstreams
      .endSession(target, owner)
      .then(() => deleteUpstreamSessions(db, owner.hash))
      .catch(() => undefined);
  }
}

function failureOf(error: unknown, authKind: AuthKind): Pick<ConnectionTest, 'outcome' | 'error'> {
  const isRefused = error instanceof TokenRejectedError || error instanceof CredentialRequiredError;
  if (isRefused && authKind !== 'none' && authKind !== 'shared') {
    return { outcome: 'sign_in_required', error: null };
  }
  if (isRefused) return { outcome: 'failed', error: REJECTED[authKind as 'none' | 'shared'] };
  const message = error instanceof RpcError ? error.message : "The server didn't respond in time.";
  return { outcome: 'failed', error: message };
}

function describeTool(tool: unknown): ConnectionTest['tools'][number] {
  const { name, description } = isObject(tool) ? tool : {};
  return {
    name: String(name ?? ''),
    description: typeof description === 'string' ? description.slice(0, DESCRIPTION_CHARS) : null,
  };
}
