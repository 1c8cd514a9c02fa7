// Follows the hub's configuration by long poll, and publishes a snapshot whenever it has every change up to a moment.
// States of a follower:
// - `waiting`: no snapshot yet. Requests are answered 503. Leaves with the copy on disk, or with the hub's first answer.
// - `following`: the last poll succeeded. Leaves to `disconnected` with a failed poll, to `refused` with 401 or 403.
// - `disconnected`: the hub is unreachable; the last snapshot stays in force. Polls repeat with backoff and jitter.
// - `refused`: the hub refuses the node token (revoked, or the tenant is suspended). The snapshot and its copy are dropped.
// Invariant: a snapshot is published only after the last page, so that a request never sees half of a change.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { request } from 'undici';
import { DocumentStore } from './document-store.ts';
import type { ConfigItem, ConfigSnapshot } from './documents.ts';
import type { SealedCopy } from './sealed-copy.ts';

export type FollowerState = 'waiting' | 'following' | 'disconnected' | 'refused';

export interface FollowerOptions {
  hubUrl: string;
  nodeToken: string;
  copy: SealedCopy;
  log: Logger;
  /** Seconds that the hub may keep a poll open, 0 to 60. */
  waitSeconds?: number;
  /** Identifies this process among those that share the limits of a tenant. */
  instance: string;
  /** A model checks content here; the hub reports settings that need it as supported. */
  hasModelChecks: boolean;
  random?: () => number;
}

interface ConfigPage {
  items: ConfigItem[];
  next_cursor: string;
  has_more: boolean;
  live_nodes: number;
}

/** The hub answered a poll with an error. */
class PollRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the hub answered ${status}`);
    this.status = status;
  }
}

const PAGE_LIMIT = 500;
const ANSWER_MARGIN_MS = 15_000;
const BACKOFF_MAX_MS = 30_000;
/** The hub was restored from a backup. */
const CURSOR_EXPIRED = 410;
/** The cursor is of another hub. */
const CURSOR_INVALID = 400;

export class ConfigFollower {
  readonly #options: FollowerOptions;
  readonly #documents = new DocumentStore();
  readonly #stopping = new AbortController();
  #state: FollowerState = 'waiting';
  #snapshot: ConfigSnapshot | null = null;
  #cursor: string | null = null;
  #liveNodes = 1;
  /** True from the first changed page until the snapshot with it is published. */
  #hasUnpublished = true;
  #running: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  get state(): FollowerState {
    return this.#state;
  }

  /** The current snapshot, or null before the first poll and after the hub refused this node. */
  get snapshot(): ConfigSnapshot | null {
    return this.#snapshot;
  }

  /** Loads the copy on disk and begins to poll. */
  async start(): Promise<void> {
    const copy = await this.#options.copy.read();
    if (copy !== null) {
      this.#documents.apply(copy.items);
      this.#cursor = copy.cursor;
      this.#liveNodes = copy.liveNodes;
      this.#snapshot = this.#documents.build(copy.liveNodes);
      this.#state = 'disconnected';
      this.#hasUnpublished = false;
    }
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#poll();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures = this.#onFailure(error as Error, failures);
        if (failures > 0) await this.#backOff(failures);
      }
    }
  }

  /** Returns the number of failures in sequence; 0 repeats the poll at once. */
  #onFailure(error: Error, failures: number): number {
    const { log, copy } = this.#options;
    const status = error instanceof PollRefused ? error.status : null;
    if ((status === CURSOR_EXPIRED || status === CURSOR_INVALID) && this.#cursor !== null) {
      log.warn(
        { event: 'configuration_restart' },
        'The hub lost the position of this node; everything is loaded again.',
      );
      this.#restart();
      return 0;
    }
    const isRefused = status === 401 || status === 403;
    const state = isRefused ? 'refused' : this.#snapshot === null ? 'waiting' : 'disconnected';
    if (this.#state !== state || failures === 0) {
      log.warn(
        { event: 'configuration_failed', err: error },
        'The configuration could not be loaded.',
      );
    }
    this.#state = state;
    if (isRefused) {
      this.#snapshot = null;
      this.#restart();
      void copy.remove();
    }
    return failures + 1;
  }

  /** Drops the position: the next poll loads everything. The current snapshot stays in force until then. */
  #restart(): void {
    this.#cursor = null;
    this.#documents.clear();
    this.#hasUnpublished = true;
  }

  async #backOff(failures: number): Promise<void> {
    const { random = Math.random } = this.#options;
    const ceiling = Math.min(BACKOFF_MAX_MS, 500 * 2 ** Math.min(failures, 10));
    const { signal } = this.#stopping;
    await sleep(ceiling / 2 + (ceiling / 2) * random(), undefined, { signal }).catch(
      () => undefined,
    );
  }

  /** Fetches all pages up to the present, and publishes a snapshot if anything changed. */
  async #poll(): Promise<void> {
    for (;;) {
      const page = await this.#fetchPage();
      this.#documents.apply(page.items);
      this.#cursor = page.next_cursor;
      this.#hasUnpublished ||= page.items.length > 0 || page.live_nodes !== this.#liveNodes;
      this.#liveNodes = page.live_nodes;
      if (!page.has_more) break;
    }
    this.#state = 'following';
    if (!this.#hasUnpublished) return;
    this.#snapshot = this.#documents.build(this.#liveNodes);
    this.#hasUnpublished = false;
    const items = this.#documents.list();
    void this.#options.copy.write({ items, cursor: this.#cursor, liveNodes: this.#liveNodes });
  }

  async #fetchPage(): Promise<ConfigPage> {
    const { hubUrl, nodeToken, instance, hasModelChecks, waitSeconds = 30 } = this.#options;
    const query = new URLSearchParams({
      ...{ limit: String(PAGE_LIMIT), instance },
      model_checks: String(hasModelChecks),
    });
    // The first answer is needed at once; afterwards the hub waits for the next change.
    const wait = this.#cursor === null || this.#state !== 'following' ? 0 : waitSeconds;
    if (this.#cursor !== null) query.set('cursor', this.#cursor);
    query.set('wait', String(wait));
    const timeout = AbortSignal.timeout(wait * 1000 + ANSWER_MARGIN_MS);
    const { statusCode, body } = await request(`${hubUrl}/node/v1/config?${query}`, {
      headers: { authorization: `Bearer ${nodeToken}` },
      signal: AbortSignal.any([timeout, this.#stopping.signal]),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new PollRefused(statusCode);
    }
    return (await body.json()) as ConfigPage;
  }
}
