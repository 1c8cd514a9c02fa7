// The way of a request through the node, step by step: app → address → identity → conversation → budget → limits → route →
// prompt store → token saving → request guardrails → provider → response guardrails → answer → row.
// Invariant: a step either passes or throws a Refusal, and a row is written for every request of a known app.
import type { ServerResponse } from 'node:http';
import { RequestRecord } from '../logs/record.ts';
import type { GatewayNode } from '../node.ts';
import {
  admitRequest,
  checkBudget,
  countTokens,
  type LimitSubject,
  PROMPT_ID_HEADER,
  resolveSystemPrompt,
  saveTokens,
  type TokenSavingSettings,
} from '../policy/index.ts';
import { PROVIDER_TABLE } from '../providers/table.ts';
import { Call } from './call.ts';
import { ClientStream } from './client-stream.ts';
import { describeError } from './error-answers.ts';
import type { Incoming } from './incoming.ts';
import type { Operation } from './operations.ts';
import { Refusal, requirePassed } from './refusal.ts';
import { relayAnswer, requestIdHeaders } from './relay.ts';
import { type Admission, admitByHeaders } from './steps/admit.ts';
import { type ChosenRoute, chooseRoute, countGroupTokens } from './steps/choose-route.ts';
import { Guards } from './steps/guardrails.ts';
import { hasSystemPrompt, insertPrompt } from './steps/insert-prompt.ts';
import { sendUpstream } from './steps/send-upstream.ts';
import { estimateTokens } from './tokenizer.ts';

/** Everything that a request has passed with. */
interface Passage {
  admission: Admission;
  call: Call;
  route: ChosenRoute;
  guards: Guards;
  subject: LimitSubject;
}

/** Runs a request to the end of its answer. Never throws. */
export function runPipeline(
  node: GatewayNode,
  incoming: Incoming,
  response: ServerResponse,
): Promise<void> {
  return startRequest(node, incoming, response, async (record, client, beforeRow) => {
    const passage = await admit(node, incoming, record, client.disconnected);
    beforeRow(() => countUsage(node, passage, record));
    await exchange(node, passage, record, client);
  });
}

type RequestHandler = (
  record: RequestRecord,
  client: ClientStream,
  /** Sets a computation that runs before the row is written. */
  beforeRow: (compute: () => void) => void,
) => Promise<void>;

/** Runs a handler with a record and a way to the client: answers its errors, writes the row, counts. Never throws. */
export async function startRequest(
  node: GatewayNode,
  incoming: Incoming,
  response: ServerResponse,
  handle: RequestHandler,
): Promise<void> {
  const { url, api } = incoming;
  const record = new RequestRecord({ ...incoming, endpoint: url.split('?', 1)[0] ?? url });
  let compute: () => void = () => undefined;
  const client = new ClientStream(response, record, () => {
    compute();
    writeRow(node, record);
  });
  node.metrics.active++;
  const { id, headers } = incoming;
  record.trace =
    node.tracing?.startRequest({ id, headers, method: api.method, route: api.path }) ?? null;
  try {
    await handle(record, client, (next) => {
      compute = next;
    });
  } catch (error) {
    answerError(node, error, incoming, record, client);
  } finally {
    node.metrics.active--;
    endTrace(record);
    node.metrics.countRequest(api.operation, record.status ?? 499, record.elapsedMs() / 1000);
  }
}

function endTrace({ trace, status, error, usage }: RequestRecord): void {
  trace?.end({ status, error: error?.type ?? null, tokens: usage });
}

async function admit(
  node: GatewayNode,
  incoming: Incoming,
  record: RequestRecord,
  disconnected: AbortSignal,
): Promise<Passage> {
  const snapshot = node.snapshot();
  const admission = await admitByHeaders(snapshot, incoming, 'gateway', record);
  const call = await Call.read(incoming);
  record.model = call.model;
  record.stream = call.stream;
  record.maxRequestedTokens = call.maxOutputTokens;
  record.sdk = readSdk(call.headers);
  const { tenant, app, effective } = admission;
  requirePassed(checkBudget(tenant.budgetsExhausted, app.app_id));
  const { limits = {}, transformations } = effective.config;
  const subject = limitSubject(app.app_id, snapshot?.liveNodes ?? 1, call);
  requirePassed(admitRequest(limits, subject, node.counters));
  const route = chooseRoute(tenant, app, effective, call, node.counters);
  record.routing = { group_id: route.groupId, mode: route.mode };
  applyPromptStore(admission, call);
  applyTokenSaving(transformations?.token_saving, call);
  const guards = new Guards(node, admission, record, disconnected);
  await guards.inspectRequest(call);
  if (guards.reminder !== null && hasSystemPrompt(call)) insertPrompt(call, guards.reminder);
  record.requestPayload = call.body.json;
  return { admission, call, route, guards, subject };
}

/** Returns what limits are counted for. Tokens are estimated only if a limit needs them. */
export function limitSubject(appId: string, liveNodes: number, call: Call): LimitSubject {
  return {
    appId,
    liveNodes,
    get inputTokens() {
      return call.inputTokens;
    },
  };
}

function applyPromptStore({ tenant, app, effective }: Admission, call: Call): void {
  const { prompts = {} } = effective.config;
  const isUsed = call.headers[PROMPT_ID_HEADER] !== undefined;
  if (!isUsed && prompts.require_system_from_store !== true) return;
  const stored = [...(tenant.prompts.get(app.app_id) ?? [])];
  const documents = stored.map(([prompt_id, content]) => ({ prompt_id, content }));
  const prompt = requirePassed(resolveSystemPrompt(prompts, call, documents));
  if (prompt !== null) insertPrompt(call, prompt);
}

function applyTokenSaving(settings: TokenSavingSettings | undefined, call: Call): void {
  if (settings === undefined || !Object.values(settings).includes(true)) return;
  const shortened = call.texts
    .map((part) => ({ path: part.path, before: part.text, text: saveTokens(part.text, settings) }))
    .filter(({ before, text }) => before !== text);
  call.replaceTexts(shortened);
}

/** Sends the call to a provider and relays its answer. */
async function exchange(
  node: GatewayNode,
  { admission, call, route, guards, subject }: Passage,
  record: RequestRecord,
  client: ClientStream,
): Promise<void> {
  const { answer, candidate } = await sendUpstream(node, route.candidates, call, record, {
    limits: admission.effective.config.limits ?? {},
    subject,
    disconnected: client.disconnected,
  });
  const { operation } = call.api;
  const endpoint = PROVIDER_TABLE[candidate.provider.provider_name].endpoints[operation];
  await relayAnswer({
    answer,
    client,
    record,
    family: call.family,
    guard: guards.answer,
    asSse: endpoint?.body === 'messages_by_invoke' && call.stream,
    hasLastEvent: MARKED_STREAMS.has(operation),
    requestId: call.id,
  });
}

/** Operations that mark the end of a stream with an event. */
const MARKED_STREAMS: ReadonlySet<Operation> = new Set([
  'chat',
  'completions',
  'responses',
  'messages',
]);

/** Counts tokens against limits and balances, and estimates those that the provider did not report. */
function countUsage(
  node: GatewayNode,
  { admission, call, route }: Passage,
  record: RequestRecord,
): void {
  const candidate = route.candidates.find(
    ({ provider, model }) => provider.label === record.provider && model === record.upstreamModel,
  );
  if (candidate === undefined || record.status === null || record.status >= 400) return;
  if (record.usage.request === null && ESTIMATED.has(call.api.operation)) {
    const text = record.responsePayload;
    const response = typeof text === 'string' ? estimateTokens([text]) : null;
    record.usage = { ...record.usage, request: call.inputTokens, response };
    record.isUsageEstimated = true;
  }
  const { request, response } = record.usage;
  const tokens = { input: request ?? 0, output: response ?? 0 };
  const { app, effective } = admission;
  const target = { providerLabel: candidate.provider.label, model: candidate.model };
  countTokens(effective.config.limits ?? {}, app.app_id, target, tokens, node.counters);
  countGroupTokens(app, route, candidate, tokens.input + tokens.output, node.counters);
}

/** Operations that generate text: providers leave out the usage of many streams. */
const ESTIMATED: ReadonlySet<Operation> = new Set(['chat', 'completions', 'invoke', 'gemini']);

/** Answers an error in the shape of the API, or breaks an answer off that has begun. */
function answerError(
  node: GatewayNode,
  error: unknown,
  incoming: Incoming,
  record: RequestRecord,
  client: ClientStream,
): void {
  const refusal = error instanceof Refusal ? error : describeUnexpected(node, error, incoming.id);
  node.metrics.countRefusal(refusal.code);
  record.error = { type: refusal.code, message: refusal.message };
  if (client.isHeadSent || client.disconnected.aborted) {
    record.status ??= refusal.status;
    client.abort();
    return;
  }
  const { headers, body } = describeError(incoming.api.family, refusal, incoming.id);
  const bytes = Buffer.from(JSON.stringify(body));
  // A client may still be sending its body; it reads the answer only on a connection that stays open.
  incoming.request.resume();
  client.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...headers,
    ...requestIdHeaders(incoming.id),
  });
  client.end(bytes);
}

function describeUnexpected(node: GatewayNode, error: unknown, requestId: string): Refusal {
  node.log.error(
    { event: 'request_failed', err: error, request_id: requestId },
    'A request failed.',
  );
  return new Refusal(500, 'internal_error', 'The gateway failed. Repeat the request.');
}

/** Requests of unknown apps have no row. */
function writeRow({ spool, log }: GatewayNode, record: RequestRecord): void {
  if (record.app === null) return;
  try {
    spool.append(JSON.stringify(record.toLine()));
  } catch (error) {
    log.error({ event: 'log_row_lost', err: error }, 'A log row could not be written.');
  }
}

/** Returns the name and version that the SDK of a client sends. */
function readSdk(headers: Readonly<Record<string, string>>): Record<string, unknown> | null {
  const sdk = {
    user_agent: headers['user-agent'],
    language: headers['x-stainless-lang'],
    version: headers['x-stainless-package-version'],
  };
  const known = Object.entries(sdk).filter(([, value]) => value !== undefined);
  return known.length === 0 ? null : Object.fromEntries(known);
}
