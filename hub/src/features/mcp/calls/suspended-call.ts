// A suspended call: a legacy server sent a request during a call of a client of the revision 2026-07-28. That client must
// receive `input_required` and return with an answer, while the server waits. It may return to another hub process.
//
// C: client, H: process with the suspended call, R: process to which the client returns, S: server.
//
//   S → H      request (elicitation, sampling or roots)
//   H → C      result input_required; requestState seals { answerChannel, messageChannel, round, position, key }
//   C → R      the same request, with inputResponses and requestState
//   R → H      answerChannel, slot = round: { result }
//   H → R      messageChannel, slot `received <round>`: acknowledgement, within 10 seconds
//   H → S      response
//   S → H → R  messageChannel, slot = position: notifications, then the next request or the result
//   R → C      notifications, then input_required (next round) or the result
//   R → H      answerChannel, slot `abandoned`: null, if the client disconnects or a guardrail blocks a message
//
// States of H, in SuspendedCall:
//   waiting ─ answer ─→ resumed ─ request ─→ waiting
//                       resumed ─ result ──→ completed
//                       resumed ─ error ───→ failed
//   waiting, resumed ─ `abandoned` received, or no answer for ten minutes ─→ abandoned

import { randomUUID } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/client';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import {
  errorMessage,
  type InputRequest,
  isRequest,
  RPC,
  RpcError,
  type RpcMessage,
  supportsInputRequest,
  unsupportedInputError,
} from '../protocol/index.ts';
import type { Envelope, ReplyChannel, ReplyReceiver } from '../sessions/index.ts';
import type { InputContext } from './context.ts';
import { ELICITATION_TIMEOUT_MS } from './elicitation.ts';

const STATE_PREFIX = 'gw1.';
const ACKNOWLEDGE_MS = 10_000;
const ABANDONED_SLOT = 'abandoned';
const acknowledgementSlot = (round: number) => `received ${round}`;

/** The sealed state of a suspended call. */
interface SuspendedState {
  answerChannel: string;
  messageChannel: string;
  /** Number of the server's request. */
  round: number;
  /** Number of the next message. */
  position: number;
  /** Key of the server's request in `inputRequests`. */
  key: string;
}

/** The call to a server that waits. */
export interface ServerCall {
  messages: AsyncGenerator<RpcMessage>;
  /** Sends the client's response to the server. */
  send(message: RpcMessage): Promise<void>;
  abort: AbortController;
  /** Ends the call; no more messages are read. */
  end(): Promise<void>;
}

const bindingOf = ({ owner }: InputContext, digest: string) => [
  'mcp-suspended',
  owner.hash.toString('hex'),
  digest,
];

/** Returns whether a request continues a suspended call, or a result suspends one. */
export function isSuspendedState(params: Record<string, unknown> | undefined): boolean {
  return typeof params?.requestState === 'string' && params.requestState.startsWith(STATE_PREFIX);
}

function inputRequiredResult(
  context: InputContext,
  digest: string,
  state: SuspendedState,
  { method, params }: RpcMessage,
): Record<string, unknown> {
  const sealed = context.cursors.seal(bindingOf(context, digest), state);
  return {
    resultType: 'input_required',
    inputRequests: { [state.key]: { method, ...(params === undefined ? {} : { params }) } },
    requestState: `${STATE_PREFIX}${sealed}`,
  };
}

/** Suspends a call at a server's request. Returns the result `input_required`. Throws RpcError for an unsupported client. */
export function suspendCall(
  context: InputContext,
  digest: string,
  call: ServerCall,
  request: RpcMessage,
): Record<string, unknown> {
  rejectUnsupported(context, request);
  const state: SuspendedState = {
    answerChannel: randomUUID(),
    messageChannel: randomUUID(),
    round: 0,
    position: 0,
    key: 'question',
  };
  void new SuspendedCall(context, call, state).run(request);
  return inputRequiredResult(context, digest, state, request);
}

function rejectUnsupported({ owner }: InputContext, request: RpcMessage): void {
  const input = request as InputRequest;
  if (!supportsInputRequest(owner, input)) throw unsupportedInputError(input);
}

type State = 'waiting' | 'resumed' | 'completed' | 'failed' | 'abandoned';

/** The process that has the server's call. */
class SuspendedCall {
  readonly #tenantId: string;
  readonly #replyChannel: ReplyChannel;
  readonly #call: ServerCall;
  readonly #messageChannel: string;
  readonly #receiver: ReplyReceiver;
  readonly #timeout: NodeJS.Timeout;
  #position = 0;
  #state: State = 'waiting';

  constructor({ tenantId, replyChannel }: InputContext, call: ServerCall, state: SuspendedState) {
    this.#tenantId = tenantId;
    this.#replyChannel = replyChannel;
    this.#call = call;
    this.#messageChannel = state.messageChannel;
    this.#receiver = replyChannel.open(tenantId, state.answerChannel);
    this.#timeout = setTimeout(() => call.abort.abort(), ELICITATION_TIMEOUT_MS).unref();
  }

  /** Runs until the call is completed, failed or abandoned. Never throws. */
  async run(firstRequest: RpcMessage): Promise<void> {
    let request: RpcMessage | null = firstRequest;
    let answer = this.#nextAnswer();
    try {
      while (request !== null) {
        const { slot, message } = await answer;
        if (message === null) return;
        this.#state = 'resumed';
        this.#timeout.refresh();
        answer = this.#nextAnswer();
        await this.#send({ slot: acknowledgementSlot(Number(slot)), message: null });
        const { id } = request;
        await this.#call.send({ jsonrpc: '2.0', id: id as RequestId, ...(message as object) });
        request = await this.#relayToNextRequest();
        this.#state = request === null ? 'completed' : 'waiting';
      }
    } catch (error) {
      await this.#reportFailure(error);
    } finally {
      clearTimeout(this.#timeout);
      this.#receiver.close();
      await this.#call.messages.return(undefined);
      await this.#call.end();
    }
  }

  /** Receives the next answer. The call is aborted as soon as the client abandons it, also while the server works. */
  #nextAnswer(): Promise<Envelope> {
    const next = this.#receiver.next(this.#call.abort.signal);
    next.then(
      ({ message }) => {
        if (message !== null) return;
        this.#state = 'abandoned';
        this.#call.abort.abort();
      },
      () => undefined,
    );
    return next;
  }

  /** Relays messages of the server. Returns its next request, or null after the result. */
  async #relayToNextRequest(): Promise<RpcMessage | null> {
    for (;;) {
      const { value, done } = await this.#call.messages.next();
      if (done === true) return null;
      await this.#relay(value);
      if (isRequest(value)) return value;
      if (value.method === undefined) return null;
    }
  }

  async #reportFailure(error: unknown): Promise<void> {
    if (this.#state === 'abandoned') return;
    this.#state = 'failed';
    const failure =
      error instanceof RpcError ? error : new RpcError(RPC.upstream, 'The call was canceled.');
    await this.#relay(errorMessage(0, failure)).catch(() => undefined);
  }

  #relay(message: RpcMessage): Promise<void> {
    return this.#send({ slot: String(this.#position++), message });
  }

  #send(envelope: Envelope): Promise<void> {
    return this.#replyChannel.send(this.#tenantId, this.#messageChannel, envelope);
  }
}

/** Continues a suspended call. Yields messages of the server, then the result. Throws RpcError. */
export async function* resumeCall(
  context: InputContext,
  digest: string,
  params: Record<string, unknown>,
): AsyncGenerator<RpcMessage> {
  const { state, result } = openResumption(context, digest, params);
  const { tenantId, replyChannel } = context;
  const receiver = replyChannel.open(tenantId, state.messageChannel);
  const messages = new OrderedMessages(context, receiver, state.position);
  /** True while the suspended call waits for this client. */
  let isOpen = true;
  try {
    const answer = { slot: String(state.round), message: { result } };
    await replyChannel.send(tenantId, state.answerChannel, answer);
    for (;;) {
      const message = await messages.next().catch((error: unknown) => {
        if (error instanceof NotWaitingError) isOpen = false;
        throw error;
      });
      if (isRequest(message)) {
        rejectUnsupported(context, message);
        const next = { ...state, round: state.round + 1, position: messages.position };
        yield { jsonrpc: '2.0', result: inputRequiredResult(context, digest, next, message) };
        // The client never returns if a guardrail blocked the request, or it disconnected before it received the request.
        isOpen = context.signal.aborted;
        return;
      }
      if (message.method === undefined) isOpen = false;
      yield message;
      if (message.method === undefined) return;
    }
  } finally {
    try {
      const abandoned = { slot: ABANDONED_SLOT, message: null };
      if (isOpen) await replyChannel.send(tenantId, state.answerChannel, abandoned);
    } finally {
      receiver.close();
    }
  }
}

function openResumption(context: InputContext, digest: string, params: Record<string, unknown>) {
  const sealed = String(params.requestState).slice(STATE_PREFIX.length);
  const state = context.cursors.open(bindingOf(context, digest), sealed) as SuspendedState | null;
  if (state === null) throw new RpcError(RPC.invalidParams, 'Invalid or expired requestState');
  const responses = isObject(params.inputResponses) ? params.inputResponses : {};
  const result = responses[state.key];
  if (!isObject(result)) {
    throw new RpcError(RPC.invalidParams, `inputResponses must hold "${state.key}".`);
  }
  return { state, result };
}

/** No process acknowledged the answer: the process of the call ended, or the call already continued. */
class NotWaitingError extends RpcError {
  constructor() {
    super(RPC.upstream, 'No call is waiting for this response: it ended, or it already continued.');
  }
}

/** Messages of a suspended call in the order of their positions. Envelopes may arrive in another order. */
class OrderedMessages {
  /** Position of the next message. */
  position: number;
  readonly #context: InputContext;
  readonly #receiver: ReplyReceiver;
  readonly #signal: AbortSignal;
  readonly #early = new Map<string, RpcMessage>();
  #isAcknowledged = false;

  constructor(context: InputContext, receiver: ReplyReceiver, position: number) {
    this.position = position;
    this.#context = context;
    this.#receiver = receiver;
    this.#signal = AbortSignal.any([context.signal, AbortSignal.timeout(ELICITATION_TIMEOUT_MS)]);
  }

  /** Throws NotWaitingError without an acknowledgement in time, or the reason of the aborted request. */
  async next(): Promise<RpcMessage> {
    const slot = String(this.position);
    while (!this.#early.has(slot)) {
      const envelope = await (this.#isAcknowledged
        ? this.#receiver.next(this.#signal)
        : this.#firstEnvelope());
      this.#isAcknowledged = true;
      this.#early.set(envelope.slot, envelope.message as RpcMessage);
    }
    this.position++;
    return this.#early.get(slot) as RpcMessage;
  }

  async #firstEnvelope(): Promise<Envelope> {
    const timeout = AbortSignal.timeout(ACKNOWLEDGE_MS);
    try {
      return await this.#receiver.next(AbortSignal.any([this.#signal, timeout]));
    } catch (error) {
      if (this.#signal.aborted || this.#context.signal.aborted) throw error;
      throw new NotWaitingError();
    }
  }
}
