// Sends the spool's rows to the hub in the background: at most 1,000 lines or 8 MiB in a batch, compressed with gzip.
// A batch is repeated until the hub acknowledges it with 202. A batch that the hub refuses as invalid is sent row by row,
// so that a bad row costs itself alone; rows that the hub refuses are counted as rejected.
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { LOG_BATCH_BYTES, LOG_BATCH_LINES } from '@gatewarden/shared/wire/nodes/logs.ts';
import type { Logger } from 'pino';
import { request } from 'undici';
import type { Spool } from './spool.ts';

export interface UploaderOptions {
  hubUrl: string;
  nodeToken: string;
  spool: Spool;
  log: Logger;
  /** Milliseconds for which rows are collected before a batch is sent. */
  collectMs?: number;
}

const compress = promisify(gzip);
/** The fastest level takes a third of the processor time of the default, for batches that are a fifth larger. */
const COMPRESSION = { level: constants.Z_BEST_SPEED };
const ANSWER_TIMEOUT_MS = 30_000;
const BACKOFF_MAX_MS = 30_000;
/** Statuses that a repetition cannot change, because they refuse the batch's content. */
const INVALID = new Set([400, 413, 422]);

export class LogUploader {
  readonly #options: UploaderOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;
  #uploaded = 0;
  #rejected = 0;

  constructor(options: UploaderOptions) {
    this.#options = options;
    options.spool.onRow(() => this.#wake());
  }

  get uploaded(): number {
    return this.#uploaded;
  }

  get rejected(): number {
    return this.#rejected;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends the background work, then makes an attempt to send what the spool still has. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
    while (await this.#sendOldest().catch(() => false));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (await this.#sendOldest()) failures = 0;
        else await this.#awaitRows();
      } catch (error) {
        if (failures === 0) {
          this.#options.log.warn(
            { event: 'log_upload_failed', err: error },
            'Log rows could not be sent; they stay on disk.',
          );
        }
        failures++;
        const ceiling = Math.min(BACKOFF_MAX_MS, 500 * 2 ** Math.min(failures, 10));
        await sleep(ceiling * (0.5 + Math.random() / 2), undefined, { signal }).catch(
          () => undefined,
        );
      }
    }
  }

  /** Waits for a row, and then for others, so that a batch contains more than one. */
  async #awaitRows(): Promise<void> {
    const { spool, collectMs = 1_000 } = this.#options;
    if (spool.rows === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (this.#stopping.signal.aborted) resolve();
      });
      this.#wake = () => undefined;
    }
    await sleep(collectMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Sends the oldest segment. Returns false if there is none. Throws if the hub does not acknowledge it. */
  async #sendOldest(): Promise<boolean> {
    const batch = this.#options.spool.peek();
    if (batch === null) return false;
    for (const lines of splitLines(batch.lines)) await this.#send(lines);
    batch.acknowledge();
    return true;
  }

  async #send(lines: readonly string[]): Promise<void> {
    const status = await this.#post(lines);
    if (status === 202) {
      this.#uploaded += lines.length;
    } else if (!INVALID.has(status)) {
      throw new Error(`the hub answered ${status}`);
    } else if (lines.length > 1) {
      for (const line of lines) await this.#send([line]);
    } else {
      this.#rejected++;
      this.#options.log.error({ event: 'log_row_rejected', status }, 'The hub refused a log row.');
    }
  }

  async #post(lines: readonly string[]): Promise<number> {
    const { hubUrl, nodeToken } = this.#options;
    const { statusCode, body } = await request(`${hubUrl}/node/v1/logs/llm-requests`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${nodeToken}`,
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
      },
      body: await compress(lines.join('\n'), COMPRESSION),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    await body.dump();
    return statusCode;
  }
}

/** Splits lines into batches within the hub's limits. */
function* splitLines(lines: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1;
    if (batch.length >= LOG_BATCH_LINES || (batch.length > 0 && bytes + size > LOG_BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(line);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
