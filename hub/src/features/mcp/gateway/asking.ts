// What a server asks of the client while it carries out a request (a person's input, a model's words, the roots), between
// revisions: the older one sends requests of its own, the newest answers `input_required` and is asked again. A server
// of the older revision is kept waiting while a client of the newest fetches its answer; that client may come back to
// another hub process.

import { createHash, randomUUID } from 'node:crypto';
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { Mail, MailBox } from './mail.ts';
import { errorMessage, type Id, isRequest, RPC, type Rpc, RpcError } from './messages.ts';
import type { Owner } from './targets.ts';

export const ASK_MS = 10 * 60_000;
const ROUNDS_MAX = 8;
/** How long the process that holds a call may take to say that it has the client's answer. */
const TAKEN_MS = 10_000;
const takenSlot = (question: number) => `taken ${question}`;
const QUESTIONS_MAX = 32;
const PARKED = 'gw1.';
const ASKED = 'gwa:';

/** What asking needs to know of the request that caused the question. */
export interface Asker {
  tenantId: string;
  owner: Owner;
  mail: Mail;
  cursors: CursorSealer;
  signal: AbortSignal;
  /** False: what comes before the answer does not reach this client. */
  takesStream: boolean;
}

export interface Question {
  method: string;
  params?: Record<string, unknown>;
}
export type Questions = Record<string, Question>;
export type Answers = Record<string, unknown>;

export interface InputRequired {
  inputRequests: Questions;
  requestState: string | undefined;
}

/** What a result of the newest revision asks for; null where it is complete. Throws RpcError where it asks badly. */
export function inputRequired(result: Record<string, unknown>): InputRequired | null {
  if (result.resultType !== 'input_required') return null;
  const asked = result.inputRequests ?? {};
  const state = result.requestState;
  const isGood =
    isObject(asked) &&
    Object.keys(asked).length <= QUESTIONS_MAX &&
    Object.values(asked).every((one) => isObject(one) && typeof one.method === 'string') &&
    (state === undefined || typeof state === 'string') &&
    (state !== undefined || Object.keys(asked).length > 0);
  if (!isGood) throw new RpcError(RPC.upstream, 'The MCP server sent an invalid input request.');
  return { inputRequests: asked as unknown as Questions, requestState: state };
}

const CAPABILITY: Record<string, string> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Whether the client said that it answers such a question. */
export function mayAsk({ capabilities }: Owner, { method, params }: Question): boolean {
  const name = CAPABILITY[method];
  if (name === undefined) return false;
  const held = capabilities[name];
  if (!isObject(held)) return false;
  if (method !== 'elicitation/create') return true;
  const { form, url } = held as { form?: unknown; url?: unknown };
  if (params?.mode === 'url') return isObject(url);
  // Before there were modes, forms were all that there was.
  return isObject(form) || url === undefined;
}

/** Whether a server's request needs a capability that its client did not declare; null: it may be sent to the client. */
export function missingCapability(owner: Owner, request: Rpc): string | null {
  const { method = '', params = {} } = request;
  const name = CAPABILITY[method];
  return name === undefined || mayAsk(owner, { method, params }) ? null : name;
}

/** Asks a client of the older revision. Yields the requests, and gives its results. Throws RpcError. */
export async function* askedByRequest(
  asker: Asker,
  questions: Questions,
): AsyncGenerator<Rpc, Answers> {
  const entries = Object.entries(questions);
  for (const [, question] of entries) {
    if (!asker.takesStream || !mayAsk(asker.owner, question)) throw cannotAsk(question);
  }
  if (entries.length === 0) return {};
  const { tenantId, mail, cursors, owner } = asker;
  const box = randomUUID();
  const inbox = mail.open(tenantId, box);
  const signal = AbortSignal.any([asker.signal, AbortSignal.timeout(ASK_MS)]);
  try {
    for (const [key, { method, params }] of entries) {
      const id = `${ASKED}${cursors.seal(bindingOf(owner), [tenantId, box, key])}`;
      yield {
        jsonrpc: '2.0',
        id,
        method,
        ...(params === undefined ? {} : { params: withId(params) }),
      };
    }
    const answers: Answers = {};
    while (Object.keys(answers).length < entries.length) {
      const { slot, message } = await inbox.next(signal).catch((error: unknown) => {
        if (asker.signal.aborted) throw error;
        throw new RpcError(RPC.upstream, "The client didn't respond to the input request in time.");
      });
      const { error, result } = message as Rpc;
      if (error !== undefined) {
        throw new RpcError(RPC.upstream, `The client rejected the input request: ${error.message}`);
      }
      answers[slot] = result ?? {};
    }
    return answers;
  } finally {
    inbox.close();
  }
}

/** The older revision numbers what is asked by URL. */
function withId(params: Record<string, unknown>): Record<string, unknown> {
  if (params.mode !== 'url' || params.elicitationId !== undefined) return params;
  return { ...params, elicitationId: randomUUID() };
}

const bindingOf = (owner: Owner) => ['mcp-asked', owner.hash.toString('hex')];

function cannotAsk({ method }: Question): RpcError {
  return new RpcError(
    RPC.missingCapability,
    `The MCP server requested ${method.slice(0, 60)}, which this client doesn't support.`,
    { data: { requiredCapabilities: { [CAPABILITY[method] ?? method.slice(0, 60)]: {} } } },
  );
}

/** Takes an answer to a question of `askedByRequest`; false: it is none. */
export async function takeAnswer(
  { mail, cursors }: Pick<Asker, 'mail' | 'cursors'>,
  owner: Owner,
  message: Rpc,
): Promise<boolean> {
  const id = String(message.id);
  if (!id.startsWith(ASKED)) return false;
  const opened = cursors.open(bindingOf(owner), id.slice(ASKED.length));
  if (!Array.isArray(opened)) return true;
  const [tenantId, box, key] = opened as [string, string, string];
  const { error, result } = message;
  await mail.put(tenantId, box, key, error === undefined ? { result } : { error });
  return true;
}

/** Asks for what a server of the newest revision needs, as often as it needs it; `send` sends the request again. */
export async function* answered(
  asker: Asker,
  first: InputRequired,
  send: (more: {
    inputResponses: Answers;
    requestState?: string;
  }) => AsyncGenerator<Rpc, InputRequired | null>,
): AsyncGenerator<Rpc> {
  let asked: InputRequired | null = first;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const inputResponses: Answers = yield* askedByRequest(asker, asked.inputRequests);
    asked = yield* send({
      inputResponses,
      ...(asked.requestState === undefined ? {} : { requestState: asked.requestState }),
    });
    if (asked === null) return;
  }
  throw new RpcError(RPC.upstream, 'The MCP server sent too many input requests.');
}

// A request that waits for a client of the newest revision.

interface Parked {
  box: string;
  out: string;
  question: number;
  letter: number;
  key: string;
  /** The process that holds the call says that it took an answer; one of the release before does not. */
  says?: true;
}

interface Held {
  messages: AsyncGenerator<Rpc>;
  /** Tells the server what the client answered. */
  tell(message: Rpc): Promise<void>;
  abort: AbortController;
  /** Nothing more is read. */
  end(): Promise<void>;
}

/** A request as its continuation must be, to the letter. */
export function requestDigest(method: string, params: Record<string, unknown> | undefined): string {
  const { _meta, inputResponses: _answers, requestState: _state, ...rest } = params ?? {};
  return createHash('sha256')
    .update(stringifyLossless([method, rest]))
    .digest('base64url');
}

const parkedBinding = (owner: Owner, digest: string) => [
  'mcp-parked',
  owner.hash.toString('hex'),
  digest,
];

function parkedResult(
  asker: Asker,
  digest: string,
  parked: Parked,
  { method, params }: Rpc,
): Record<string, unknown> {
  const state = asker.cursors.seal(parkedBinding(asker.owner, digest), parked);
  return {
    resultType: 'input_required',
    inputRequests: { [parked.key]: { method, ...(params === undefined ? {} : { params }) } },
    requestState: `${PARKED}${state}`,
  };
}

/** Keeps the server waiting, and gives the result that sends the client for its answer. */
export function park(
  asker: Asker,
  digest: string,
  held: Held,
  question: Rpc,
): Record<string, unknown> {
  if (!mayAsk(asker.owner, question as Question)) throw cannotAsk(question as Question);
  const parked: Parked = {
    box: randomUUID(),
    out: randomUUID(),
    question: 0,
    letter: 0,
    key: 'question',
    says: true,
  };
  void goOn(asker, held, parked, question);
  return parkedResult(asker, digest, parked, question);
}

async function goOn(asker: Asker, held: Held, parked: Parked, first: Rpc): Promise<void> {
  const { tenantId, mail } = asker;
  const inbox = mail.open(tenantId, parked.box);
  const timer = setTimeout(() => held.abort.abort(), ASK_MS).unref();
  let letter = 0;
  let isGone = false;
  const send = (message: Rpc) => mail.put(tenantId, parked.out, String(letter++), message);
  // Its client may go while the server is at work, too: that is heard at once.
  const nextAnswer = () => {
    const came = inbox.next(held.abort.signal);
    const look = ({ message }: { message: unknown }) => {
      if (message !== null) return;
      isGone = true;
      held.abort.abort();
    };
    came.then(look, () => undefined);
    return came;
  };
  let answer = nextAnswer();
  try {
    let question = first;
    for (;;) {
      const { slot, message } = await answer;
      if (message === null) return;
      timer.refresh();
      answer = nextAnswer();
      // A process of the release before waits for numbers only, and leaves this alone.
      await mail.put(tenantId, parked.out, takenSlot(Number(slot)), null);
      await held.tell({ jsonrpc: '2.0', id: question.id as Id, ...(message as object) });
      const next = await toNextQuestion(held, send);
      if (next === null) return;
      question = next;
    }
  } catch (error) {
    const failure =
      error instanceof RpcError ? error : new RpcError(RPC.upstream, 'The call was canceled.');
    if (!isGone) await send(errorMessage(0, failure)).catch(() => undefined);
  } finally {
    clearTimeout(timer);
    inbox.close();
    await held.messages.return(undefined);
    await held.end();
  }
}

async function toNextQuestion(
  { messages }: Held,
  send: (message: Rpc) => Promise<void>,
): Promise<Rpc | null> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done === true) return null;
    await send(value);
    if (isRequest(value)) return value;
    if (value.method === undefined) return null;
  }
}

/** Whether a request goes on with one that is parked. */
export function isParked(params: Record<string, unknown> | undefined): boolean {
  return typeof params?.requestState === 'string' && params.requestState.startsWith(PARKED);
}

/** Throws RpcError where nobody says that they took the answer: their process ended, or they have it already. */
async function firstLetter(
  outbox: MailBox,
  signal: AbortSignal,
  onNone: () => void,
): Promise<Awaited<ReturnType<MailBox['next']>>> {
  const late = AbortSignal.timeout(TAKEN_MS);
  try {
    return await outbox.next(AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted) throw error;
    onNone();
    throw new RpcError(
      RPC.upstream,
      'No call is waiting for this response: it ended, or it already continued.',
    );
  }
}

/** Goes on with a parked request. Yields what the server says, and the answer last. Throws RpcError. */
export async function* resume(
  asker: Asker,
  digest: string,
  params: Record<string, unknown>,
): AsyncGenerator<Rpc> {
  const { tenantId, mail, cursors, owner } = asker;
  const sealed = String(params.requestState).slice(PARKED.length);
  const parked = cursors.open(parkedBinding(owner, digest), sealed) as Parked | null;
  if (parked === null) {
    throw new RpcError(RPC.invalidParams, 'Invalid or expired requestState');
  }
  const answers = isObject(params.inputResponses) ? params.inputResponses : {};
  const result = answers[parked.key];
  if (!isObject(result)) {
    throw new RpcError(RPC.invalidParams, `inputResponses must hold "${parked.key}".`);
  }
  const outbox = mail.open(tenantId, parked.out);
  const signal = AbortSignal.any([asker.signal, AbortSignal.timeout(ASK_MS)]);
  let isLeft = true;
  try {
    await mail.put(tenantId, parked.box, String(parked.question), { result });
    const early = new Map<string, Rpc>();
    let isHeld = parked.says !== true;
    for (let letter = parked.letter; ; letter++) {
      let message = early.get(String(letter));
      while (message === undefined) {
        const { slot, message: came } = await (isHeld
          ? outbox.next(signal)
          : firstLetter(outbox, signal, () => {
              isLeft = false;
            }));
        isHeld = true;
        early.set(slot, came as Rpc);
        message = early.get(String(letter));
      }
      if (isRequest(message)) {
        const next = { ...parked, question: parked.question + 1, letter: letter + 1 };
        if (!mayAsk(owner, message as Question)) throw cannotAsk(message as Question);
        yield { jsonrpc: '2.0', result: parkedResult(asker, digest, next, message) };
        // Where a rule stops it, or its client went as it was given, nobody comes back with an answer.
        isLeft = asker.signal.aborted;
        return;
      }
      if (message.method === undefined) isLeft = false;
      yield message;
      if (message.method === undefined) return;
    }
  } finally {
    try {
      // Nobody comes back for it.
      if (isLeft) await mail.put(tenantId, parked.box, 'gone', null);
    } finally {
      outbox.close();
    }
  }
}
