// Relays a provider's answer to the client: streams event by event without buffering, JSON as a whole, anything else as
// bytes. Usage and texts are read on the way. The row is committed before the bytes that complete the answer.
import { Readable } from 'node:stream';
import type { RequestRecord } from '../logs/record.ts';
import { mergeUsage } from '../logs/usage.ts';
import type { ApiFamily } from '../policy/index.ts';
import { encodeMessage } from '../upstream/aws-event-stream.ts';
import { describeFailure, type UpstreamAnswer } from '../upstream/client.ts';
import {
  type AnswerEvent,
  createEventReader,
  type EventReader,
  encodeAsSse,
} from './answer-events.ts';
import type { AnswerGuard } from './answer-guard.ts';
import type { ClientStream } from './client-stream.ts';
import { describeError } from './error-answers.ts';
import { collectImages } from './images.ts';
import { Refusal } from './refusal.ts';
import { type JsonObject, setAt } from './request-body.ts';
import { joinTexts, StreamGuard } from './stream-guard.ts';
import { collectTexts } from './texts.ts';

export interface Relay {
  answer: UpstreamAnswer;
  client: ClientStream;
  record: RequestRecord;
  family: ApiFamily;
  guard: AnswerGuard | null;
  /** The provider streams AWS events, and the client expects Anthropic's. */
  asSse: boolean;
  /** The API marks the last event of a stream, so that a stream without it is incomplete. */
  hasLastEvent: boolean;
  requestId: string;
}

/** JSON above this size is relayed without being read. */
const READ_BYTES_MAX = 8 * 2 ** 20;
const PAYLOAD_CHARACTERS_MAX = 256 * 1024;
/** Headers of a provider that describe its connection, its account or an encoding, not the answer. */
const WITHHELD = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer', 'te', 'set-cookie'],
  ...['content-length', 'server', 'date', 'via', 'alt-svc', 'x-request-id'],
  ...['openai-organization', 'openai-project', 'anthropic-organization-id', 'proxy-authenticate'],
  ...['strict-transport-security', 'www-authenticate', 'request-id', 'x-amzn-requestid'],
]);

/** Relays an answer to its end. Throws a Refusal as long as the client got nothing. */
export async function relayAnswer(relay: Relay): Promise<void> {
  const { answer } = relay;
  const contentType = readHeader(answer, 'content-type');
  const reader = answer.status < 300 ? createEventReader(contentType) : null;
  try {
    if (isEncoded(answer)) await relayEncoded(relay);
    else if (reader !== null) await relayStream(relay, reader, contentType);
    else if (/[/+]json\b/.test(contentType)) await relayJson(relay);
    else await relayBytes(relay);
  } catch (error) {
    answer.body.destroy();
    failInMidstream(relay, error);
  }
}

/** Providers are asked for plain bodies; some compress all the same. */
function isEncoded(answer: UpstreamAnswer): boolean {
  return !['', 'identity'].includes(readHeader(answer, 'content-encoding'));
}

async function relayEncoded(relay: Relay): Promise<void> {
  if (relay.guard !== null) {
    throw new Refusal(502, 'answer_encoded', 'The answer is compressed and cannot be inspected.');
  }
  await relayBytes(relay);
}

function readHeader({ headers }: UpstreamAnswer, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

function sendHead({ answer, client, asSse, requestId }: Relay, length?: number): void {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === undefined || WITHHELD.has(name)) continue;
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  if (asSse) headers['content-type'] = 'text/event-stream; charset=utf-8';
  if (length !== undefined) headers['content-length'] = String(length);
  client.writeHead(answer.status, { ...headers, ...requestIdHeaders(requestId) });
}

/** Returns the id of a request under the names that the vendors' SDKs read. */
export function requestIdHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'request-id': requestId, 'x-amzn-requestid': requestId };
}

/** Yields the chunks of an answer, and counts the time that the provider takes for them. */
async function* readChunks({ answer, record }: Relay): AsyncGenerator<Buffer, void> {
  let waitsSince = performance.now();
  const countWait = () => {
    record.upstreamMs = (record.upstreamMs ?? 0) + performance.now() - waitsSince;
  };
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    countWait();
    yield chunk;
    waitsSince = performance.now();
  }
  countWait();
}

async function relayJson(relay: Relay): Promise<void> {
  const { answer, client, record } = relay;
  const bytes = await readJsonBytes(relay);
  if (bytes === null) {
    client.end();
    return;
  }
  const json = parseJson(bytes);
  record.usage = mergeUsage(record.usage, json);
  const body = (await inspectJson(relay, json)) ? Buffer.from(JSON.stringify(json)) : bytes;
  record.responsePayload = json ?? body.toString('utf8');
  if (answer.status >= 400) recordUpstreamError(record, answer.status, json);
  sendHead(relay, body.length);
  client.end(body);
}

/**
 * Returns the answer's bytes, or null after an answer above READ_BYTES_MAX was relayed without being read. Throws a
 * Refusal for a larger answer that guardrails would have to inspect.
 */
async function readJsonBytes(relay: Relay): Promise<Buffer | null> {
  const { client, guard } = relay;
  const chunks: Buffer[] = [];
  let size = 0;
  const sizeMax = guard === null ? READ_BYTES_MAX : 4 * READ_BYTES_MAX;
  for await (const chunk of readChunks(relay)) {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= sizeMax) continue;
    if (guard !== null) {
      throw new Refusal(502, 'answer_too_large', 'The answer is too large to be inspected.');
    }
    if (!client.isHeadSent) sendHead(relay);
    for (const unsent of chunks.splice(0)) await client.write(unsent);
  }
  return client.isHeadSent ? null : Buffer.concat(chunks, size);
}

function parseJson(bytes: Buffer): JsonObject | null {
  try {
    return JSON.parse(bytes.toString('utf8')) as JsonObject;
  } catch {
    return null;
  }
}

/** Returns whether the guard changed texts of the JSON. Rejects with a Refusal for a blocked answer. */
async function inspectJson({ guard, answer }: Relay, json: JsonObject | null): Promise<boolean> {
  if (guard === null || answer.status >= 300) return false;
  if (json === null) {
    throw new Refusal(502, 'invalid_answer', 'The answer of the provider is not valid JSON.');
  }
  const parts = collectTexts(json, 'assistant');
  const reviewed = (await guard.review?.(parts, collectImages(json, parts))) ?? guard;
  const replaced = reviewed.inspect(parts);
  for (const { path, text } of replaced) setAt(json, path, text);
  return replaced.length > 0;
}

function recordUpstreamError(record: RequestRecord, status: number, json: JsonObject | null): void {
  const error = (json?.error ?? json) as JsonObject | string | null;
  const message = typeof error === 'object' ? error?.message : error;
  record.error = {
    type: `upstream_${status}`,
    message: typeof message === 'string' ? message : `The provider answered ${status}.`,
  };
}

/** Relays bytes and retains the last chunk until the row is committed. */
async function relayBytes(relay: Relay): Promise<void> {
  const { answer, client, record } = relay;
  sendHead(relay);
  if (answer.status >= 400) recordUpstreamError(record, answer.status, null);
  let pending: Buffer | undefined;
  for await (const chunk of readChunks(relay)) {
    if (pending !== undefined) await client.write(pending);
    pending = chunk;
  }
  client.end(pending);
}

/** Relays a stream event by event. A stream that a model reviews is complete before its first event is sent. */
async function relayStream(relay: Relay, reader: EventReader, contentType: string): Promise<void> {
  const { answer, guard } = relay;
  if (guard?.review == null) return relayEvents(relay, reader);
  const chunks: Buffer[] = [];
  const events: AnswerEvent[] = [];
  let size = 0;
  for await (const chunk of readChunks(relay)) {
    size += chunk.length;
    if (size > READ_BYTES_MAX) {
      throw new Refusal(502, 'answer_too_large', 'The answer is too large to be reviewed.');
    }
    chunks.push(chunk);
    events.push(...reader.push(chunk));
  }
  events.push(...reader.end());
  const parts = joinTexts(events);
  const images = collectImages(
    events.map(({ json }) => json),
    parts,
  );
  const reviewed = await guard.review(parts, images);
  const replay = { ...relay, guard: reviewed, answer: { ...answer, body: Readable.from(chunks) } };
  await relayEvents(replay, createEventReader(contentType) ?? reader);
}

async function relayEvents(relay: Relay, reader: EventReader): Promise<void> {
  const { client, record, guard, asSse } = relay;
  const texts = new TextCollector(record);
  const rewriter = guard === null && !asSse ? null : new EventRewriter(guard, texts, asSse);
  const counts = { chunks: 0, bytes: 0 };
  record.streamed = counts;
  sendHead(relay);
  let isComplete = false;
  const observe = (events: readonly AnswerEvent[]) => {
    for (const { json, isLast } of events) {
      record.usage = mergeUsage(record.usage, json);
      if (guard === null) texts.addEvent(json);
      isComplete ||= isLast;
    }
  };
  for await (const chunk of readChunks(relay)) {
    counts.chunks++;
    counts.bytes += chunk.length;
    const events = reader.push(chunk);
    observe(events);
    const bytes = rewriter === null ? chunk : rewriter.rewrite(events);
    if (isComplete) {
      texts.store();
      client.commitRow();
    }
    await client.write(bytes);
  }
  const events = reader.end();
  observe(events);
  const bytes = rewriter?.end(events);
  texts.store();
  if (!isComplete && relay.hasLastEvent) {
    record.error = {
      type: 'upstream_truncated',
      message: 'The stream of the provider ended early.',
    };
  }
  client.end(bytes);
}

/** Encodes events after a guard or a change of format. */
class EventRewriter {
  readonly #guard: StreamGuard | null;
  readonly #texts: TextCollector;
  readonly #asSse: boolean;

  constructor(guard: AnswerGuard | null, texts: TextCollector, asSse: boolean) {
    this.#guard = guard === null ? null : new StreamGuard(guard);
    this.#texts = texts;
    this.#asSse = asSse;
  }

  rewrite(events: readonly AnswerEvent[]): Buffer {
    return Buffer.concat(events.flatMap((event) => this.#encode(event)));
  }

  /** Returns the bytes of the last events, and of texts that no event ended. */
  end(events: readonly AnswerEvent[]): Buffer {
    const rests = this.#guard?.close() ?? [];
    for (const { text } of rests) this.#texts.add(text);
    return Buffer.concat([
      this.rewrite(events),
      ...rests.map(({ event, json }) => this.#encodeOne(event, json)),
    ]);
  }

  #encode(event: AnswerEvent): Buffer[] {
    if (this.#guard === null) return [this.#encodeOne(event)];
    const { chunks, text } = this.#guard.push(event);
    this.#texts.add(text);
    return chunks.map((chunk) => this.#encodeOne(chunk.event, chunk.json));
  }

  #encodeOne(event: AnswerEvent, json?: JsonObject): Buffer {
    if (!this.#asSse) return event.encode(json);
    return encodeAsSse(json === undefined ? event : { ...event, json });
  }
}

/** Collects the texts of a stream for the row, up to the maximum of a payload. */
class TextCollector {
  readonly #record: RequestRecord;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(record: RequestRecord) {
    this.#record = record;
  }

  addEvent(json: JsonObject | null): void {
    if (json === null || this.#length > PAYLOAD_CHARACTERS_MAX) return;
    const isResponsesApi = typeof json.type === 'string' && json.type.startsWith('response.');
    for (const { path, text } of collectTexts(json, 'assistant')) {
      if (!isResponsesApi || path.at(-1) === 'delta') this.add(text);
    }
  }

  add(text: string): void {
    if (text === '' || this.#length > PAYLOAD_CHARACTERS_MAX) return;
    this.#parts.push(text);
    this.#length += text.length;
  }

  store(): void {
    this.#record.responsePayload = this.#parts.join('');
  }
}

/** Ends a stream with an error in the API's own shape. Rethrows while the client got nothing. */
function failInMidstream(relay: Relay, error: unknown): void {
  const { client, record, family, requestId } = relay;
  const failure = describeFailure(error, client.disconnected);
  const isRefusal = error instanceof Refusal;
  if (!client.isHeadSent) throw isRefusal ? error : failure;
  const refusal = isRefusal
    ? error
    : new Refusal(502, `upstream_${failure.code}`, 'The stream of the provider broke off.');
  record.error = { type: refusal.code, message: refusal.message };
  if (failure.code === 'client_disconnected' && !isRefusal) {
    record.status = 499;
    record.error = { type: failure.code, message: failure.message };
    client.abort();
    return;
  }
  const event = encodeErrorEvent(relay, describeError(family, refusal, requestId).body);
  if (event === null) client.abort();
  else client.end(event);
}

/** Returns null for an answer that is no stream of events. */
function encodeErrorEvent({ answer, asSse, family }: Relay, body: object): Buffer | null {
  const contentType = asSse ? 'text/event-stream' : readHeader(answer, 'content-type');
  const text = JSON.stringify(body);
  if (contentType.startsWith('text/event-stream')) {
    const name = family === 'anthropic' ? 'event: error\n' : '';
    return Buffer.from(`${name}data: ${text}\n\n`);
  }
  if (!contentType.startsWith('application/vnd.amazon.eventstream')) return null;
  const headers = {
    ':message-type': 'exception',
    ':exception-type': 'modelStreamErrorException',
    ':content-type': 'application/json',
  };
  return encodeMessage(headers, Buffer.from(text));
}
