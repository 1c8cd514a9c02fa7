// Requests a page of the export and reads it line by line. A page is complete only with its checkpoint.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Source {
  /** The origin of the hub. */
  url: string;
  endpoint: 'llm' | 'mcp';
  key: string;
  limit: number;
}

export interface Checkpoint {
  next_cursor: string;
  rows: number;
  has_more: boolean;
}

/** The hub refuses the request; a retry cannot succeed. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

/** The page is incomplete; a retry may succeed. */
export class PageFailed extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 0) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The hub's certificate cannot be verified; only another configuration helps. */
export class CertificateRejected extends PageFailed {
  constructor(code: string) {
    super(`${code}: the certificate is not trusted; for a private CA set NODE_EXTRA_CA_CERTS=FILE`);
  }
}

/** The sink cannot write rows; a retry of the request cannot succeed. */
export class NotWritten extends Error {}

/** The position of the next page; null: the hub's default. */
type ResumePoint = { cursor: string } | { startTime: string } | null;

/** Codes of Node.js for a chain that ends at no trusted authority. */
const UNKNOWN_AUTHORITY =
  /^(UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE)|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/;
const PATHS = { llm: 'llmgateway', mcp: 'mcpgateway' };
const FINAL = new Set([400, 401, 403]);
/** The connection counts as lost after this time without a byte, in milliseconds. */
const SILENCE_MS = 60_000;

/**
 * Passes the line of each event to `write`, in order, and returns the checkpoint. Throws Refused, NotWritten for an
 * error of `write`, or PageFailed for an incomplete page, whose rows must be
 * discarded; CertificateRejected is a kind of it.
 */
export async function readPage(
  source: Source,
  from: ResumePoint,
  write: (line: Buffer) => Promise<void>,
  stopped: AbortSignal,
): Promise<Checkpoint> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(exportUrl(source, from), {
      headers: { 'x-gw-log-export-key': source.key },
      signal: AbortSignal.any([stopped, silence.signal]),
      redirect: 'error',
    });
    return await readEvents(response, write, () => timer.refresh());
  } catch (error) {
    const isOwnError = [Refused, PageFailed, NotWritten].some((kind) => error instanceof kind);
    if (isOwnError || stopped.aborted) throw error;
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    if (cause !== undefined && UNKNOWN_AUTHORITY.test(cause)) throw new CertificateRejected(cause);
    throw new PageFailed(cause ?? (error as Error).message);
  } finally {
    clearTimeout(timer);
  }
}

function exportUrl(source: Source, from: ResumePoint): URL {
  const url = new URL(`/${PATHS[source.endpoint]}/logs/export`, source.url);
  url.searchParams.set('limit', String(source.limit));
  if (from !== null && 'cursor' in from) url.searchParams.set('cursor', from.cursor);
  if (from !== null && 'startTime' in from) url.searchParams.set('start_time', from.startTime);
  return url;
}

async function readEvents(
  response: Response,
  write: (line: Buffer) => Promise<void>,
  onBytes: () => void,
): Promise<Checkpoint> {
  let checkpoint: Checkpoint | null = null;
  for await (const line of linesOf(response, onBytes)) {
    if (checkpoint !== null) throw new PageFailed('there are lines after the checkpoint');
    const event = parse(line);
    if (event.type === 'error') throw failure(response, event);
    if (!response.ok) break;
    if (event.type === 'checkpoint') checkpoint = event as unknown as Checkpoint;
    else if (event.type !== 'export_started') await write(line).catch(throwNotWritten);
  }
  if (!response.ok) {
    throw new PageFailed(`the hub answered ${response.status}`, retryAfterSeconds(response));
  }
  if (checkpoint === null) throw new PageFailed('the page ended without a checkpoint');
  return checkpoint;
}

function throwNotWritten(cause: Error): never {
  throw new NotWritten(cause.message, { cause });
}

interface Event {
  type?: string;
  error?: { code?: string; message?: string };
}

function failure(response: Response, event: Event): Error {
  const { code = 'unknown', message = '' } = event.error ?? {};
  if (FINAL.has(response.status)) return new Refused(response.status, code, message);
  return new PageFailed(`${response.status} ${code}: ${message}`, retryAfterSeconds(response));
}

const retryAfterSeconds = (response: Response) => Number(response.headers.get('retry-after')) || 0;

function parse(line: Buffer): Event {
  try {
    return JSON.parse(line.toString('utf8')) as Event;
  } catch {
    throw new PageFailed('a line is not JSON');
  }
}

/** Yields complete lines; text after the last newline was truncated and is ignored. */
async function* linesOf(response: Response, onBytes: () => void): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const piece of response.body ?? []) {
    onBytes();
    let bytes = Buffer.from(piece);
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a)) {
      yield Buffer.concat([...rest, bytes.subarray(0, end + 1)]);
      rest = [];
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > 0) rest.push(bytes);
  }
}

/**
 * Returns the delay in seconds before attempt number `tries`: exponential backoff from 1 s to 5 min with jitter, which
 * spreads the collectors. `wished` is the Retry-After of the hub.
 */
export function waitSeconds(tries: number, wished: number, random: number): number {
  const most = Math.min(300, 2 ** Math.min(tries - 1, 9));
  return Math.max(wished, most * (0.5 + random / 2));
}

export async function pause(seconds: number, stopped: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal: stopped }).catch(() => undefined);
}
