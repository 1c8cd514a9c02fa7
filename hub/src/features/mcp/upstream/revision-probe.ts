// Detection of a server's revision by `server/discover`, cached for ten minutes per version of the backend.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { OpenResponse } from '../../../platform/http/outbound/outbound.ts';
import {
  addRequestMeta,
  MODERN,
  type ProtocolRevision,
  type RpcMessage,
  raceAbort,
  runWithTimeout,
  upstreamHeaders,
} from '../protocol/index.ts';
import {
  type ServerCapabilities,
  statusError,
  timeoutError,
  type UpstreamTarget,
} from './targets.ts';
import { CLIENT_INFO, type SessionDeps, textOrNull } from './upstream-sessions.ts';

/** A server may be upgraded, so its revision is detected again. */
const TTL_MS = 10 * 60_000;
/** Tests of unsaved servers leave entries that nothing reads again. */
const ENTRIES_MAX = 10_000;

export interface ProbeResult {
  revision: ProtocolRevision;
  capabilities: ServerCapabilities;
  /** Null for a legacy server, which sends instructions in the result of `initialize`. */
  instructions: string | null;
  /** False: the status does not depend on the revision, so the result is not cached. */
  isConclusive: boolean;
}

const LEGACY_RESULT: ProbeResult = {
  revision: 'legacy',
  capabilities: null,
  instructions: null,
  isConclusive: true,
};

/** Statuses that depend on the caller or the moment, not on the revision. */
const INCONCLUSIVE_STATUSES = new Set([401, 402, 403, 407, 408, 409, 421, 423, 425, 429]);

interface CacheEntry {
  version: number;
  result: Promise<ProbeResult>;
  untilMs: number;
}

type Exchange = Pick<SessionDeps, 'post' | 'readMessages' | 'timeoutMs'>;

export class RevisionProbe {
  readonly #exchange: Exchange;
  readonly #cache = new Map<string, CacheEntry>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Returns the cached result, or probes the server once for all waiting calls. Throws RpcError. */
  get(target: UpstreamTarget, signal: AbortSignal): Promise<ProbeResult> {
    const { backendId, version } = target;
    const cached = this.#cache.get(backendId);
    if (cached?.version === version && cached.untilMs > Date.now()) {
      return raceAbort(cached.result, signal);
    }
    const result = runWithTimeout(this.#exchange.timeoutMs, timeoutError(target), (probeSignal) =>
      this.fetch(target, probeSignal),
    );
    const entry = { version, result, untilMs: Date.now() + TTL_MS };
    this.#cache.delete(backendId);
    this.#cache.set(backendId, entry);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= ENTRIES_MAX) break;
      this.#cache.delete(oldest);
    }
    const invalidate = () => {
      if (this.#cache.get(backendId) === entry) this.#cache.delete(backendId);
    };
    result.then(({ isConclusive }) => isConclusive || invalidate(), invalidate);
    return raceAbort(result, signal);
  }

  /** Probes the server. Throws RpcError for a server error. */
  async fetch(target: UpstreamTarget, signal: AbortSignal): Promise<ProbeResult> {
    const { post, readMessages } = this.#exchange;
    const params = addRequestMeta({}, CLIENT_INFO, {});
    const message = { jsonrpc: '2.0', id: 'discover', method: 'server/discover', params };
    const headers = upstreamHeaders('server/discover', params);
    const response: OpenResponse = await post(target, message, headers, signal);
    if (response.status !== 200) {
      response.body.destroy();
      if (response.status >= 500) throw statusError(target, response.status);
      return { ...LEGACY_RESULT, isConclusive: !INCONCLUSIVE_STATUSES.has(response.status) };
    }
    for await (const { id, result } of readMessages(target, response)) {
      if (id === 'discover') return parseDiscoverResult(result);
    }
    return LEGACY_RESULT;
  }
}

function parseDiscoverResult(result: RpcMessage['result'] = {}): ProbeResult {
  const { supportedVersions, capabilities, instructions } = result;
  const isModern = Array.isArray(supportedVersions) && supportedVersions.includes(MODERN);
  if (!isModern) return LEGACY_RESULT;
  return {
    revision: 'modern',
    capabilities: isObject(capabilities) ? capabilities : null,
    instructions: textOrNull(instructions),
    isConclusive: true,
  };
}
