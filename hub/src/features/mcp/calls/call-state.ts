// `requestState` of the revision 2026-07-28: what a client returns with its answers, so that a later request continues a call.
// The gateway seals three kinds, each bound to the session owner and the digest of the request:
//   gw1.  a suspended call: its server waits (suspended-call.ts)
//   gw2.  an approval was requested from the client
//   gw3.  the state of the server, with the mark that the call was approved
import { randomUUID } from 'node:crypto';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { RPC, RpcError, type RpcMessage } from '../protocol/index.ts';
import type { CallContext, InputContext } from './context.ts';
import { isSuspendedState } from './suspended-call.ts';

const APPROVAL_REQUESTED = 'gw2.';
const APPROVED = 'gw3.';

/** Uses of an approved state are stored for a day, so a state is valid for less. */
const APPROVED_MS = 23 * 60 * 60_000;

interface ApprovedState {
  /** The state as the server sent it. */
  state: string;
  id: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The state with which a request came. */
export type CallState =
  | { kind: 'new' }
  | { kind: 'suspended' }
  | { kind: 'approval-requested'; approvalId: string }
  | { kind: 'approved'; serverState: string; id: string; at: number };

const bindingOf = ({ owner }: InputContext, kind: string, digest: string) => [
  kind,
  owner.hash.toString('hex'),
  digest,
];

const invalidState = () => new RpcError(RPC.invalidParams, 'Invalid or expired requestState');

/** Opens the state of a request. Throws RpcError for a state that is not valid for this request. */
export function openCallState(
  context: CallContext,
  digest: string,
  params: Record<string, unknown>,
): CallState {
  const { requestState } = params;
  if (typeof requestState !== 'string') return { kind: 'new' };
  // The resumption of a suspended call opens its state, and accepts no other.
  if (isSuspendedState(params)) return { kind: 'suspended' };
  const open = (kind: string) =>
    context.cursors.open(bindingOf(context, kind, digest), requestState.slice(kind.length));
  if (requestState.startsWith(APPROVAL_REQUESTED)) {
    const approvalId = open(APPROVAL_REQUESTED);
    if (typeof approvalId !== 'string') throw invalidState();
    return { kind: 'approval-requested', approvalId };
  }
  if (requestState.startsWith(APPROVED)) {
    const opened = open(APPROVED);
    if (!isObject(opened)) throw invalidState();
    const { state: serverState, id, at } = opened as unknown as ApprovedState;
    return { kind: 'approved', serverState, id, at };
  }
  return { kind: 'new' };
}

/** Returns whether a state has the prefix of a state that the gateway sealed. */
export const isSealedByGateway = (params: Record<string, unknown>) =>
  isSuspendedState(params) ||
  [APPROVAL_REQUESTED, APPROVED].some((prefix) => String(params.requestState).startsWith(prefix));

/** Marks an approved state as used: an approval lets through one call. Throws RpcError for a used or expired state. */
export async function useServerState(
  { replyChannel, tenantId }: CallContext,
  { id, at }: { id: string; at: number },
): Promise<void> {
  const isExpired = Date.now() - at > APPROVED_MS;
  if (isExpired || !(await replyChannel.useOnce(tenantId, id))) throw invalidState();
}

/** Seals a server's state in a response with the mark that the call was approved. */
export function sealServerState(
  context: CallContext,
  digest: string,
  message: RpcMessage,
): RpcMessage {
  const state = message.result?.requestState;
  if (typeof state !== 'string' || isSuspendedState(message.result)) return message;
  const approved: ApprovedState = { state, id: randomUUID(), at: Date.now() };
  const sealed = context.cursors.seal(bindingOf(context, APPROVED, digest), approved);
  return { ...message, result: { ...message.result, requestState: `${APPROVED}${sealed}` } };
}

/** Returns a new state for a client from which an approval is requested. */
export function newApprovalState(context: CallContext, digest: string): string {
  const sealed = context.cursors.seal(bindingOf(context, APPROVAL_REQUESTED, digest), randomUUID());
  return `${APPROVAL_REQUESTED}${sealed}`;
}

/** Returns the parameters without a state and without answers. */
export function withoutState(params: Record<string, unknown>): Record<string, unknown> {
  const { requestState: _state, inputResponses: _answers, ...rest } = params;
  return rest;
}
