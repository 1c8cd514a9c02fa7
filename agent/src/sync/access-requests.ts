// Access requests of the user at this device: stored until the hub has them, sent once, then deleted.

import type { AskedException } from '@gatewarden/shared/wire/local/service.ts';
import type { WireAccessRequest } from '@gatewarden/shared/wire/sync/access-requests.ts';
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import { PlainError, UsageError } from '../runtime/errors.ts';
import type { State } from '../store/state-store.ts';
import { HubRefused } from './backoff.ts';
import type { SyncClient } from './hub-client.ts';

/** So many wait at most: more is no person who asks. */
export const WAITING_MAX = 50;
const REASON_MAX = 1000;

export interface AccessRequests {
  /** Durable when it returns; sent right after. Throws a `PlainError`. */
  ask(asked: AskedException): { access_request_id: string; waiting: number };
  /** The hub was just reached: sends what waits. Throws nothing. */
  send(): Promise<void>;
}

/** Validates a request from the socket, where any local user may send anything. */
export function readAsked(text: string): AskedException {
  let fields: Partial<Record<keyof AskedException, unknown>>;
  try {
    fields = JSON.parse(text) as typeof fields;
  } catch {
    throw new UsageError('this is no request');
  }
  const entityId = fields?.entity_id ?? null;
  const processName = fields?.process_name ?? null;
  const reason = typeof fields?.reason === 'string' ? fields.reason.trim() : '';
  if ((entityId === null) === (processName === null)) {
    throw new UsageError('name either an application (--entity) or a process (--process)');
  }
  if (entityId !== null && !(typeof entityId === 'string' && /^[0-9a-f]{64}$/.test(entityId))) {
    throw new UsageError('--entity must be the id of an application: 64 hexadecimal digits');
  }
  if (
    processName !== null &&
    !(typeof processName === 'string' && processName.trim() !== '' && processName.length <= 512)
  ) {
    throw new UsageError('--process must be the name of a process');
  }
  if (reason === '' || reason.length > REASON_MAX) {
    throw new UsageError(`--reason must explain why, in at most ${REASON_MAX} characters`);
  }
  // No hub takes these, and who asked would wait for an answer that never comes.
  if (![processName ?? '', reason].every((text) => text.isWellFormed() && !text.includes('\0'))) {
    throw new UsageError('there are characters in this that no text has');
  }
  return { entity_id: entityId, process_name: processName, reason };
}

/** The queue over what the store remembers; what waited before a restart is its first work. */
export function openAccessRequests(parts: {
  state: State;
  client: SyncClient;
  makeId: () => string;
  now: () => number;
  log: (fields: object, message: string) => void;
}): AccessRequests {
  const { state, client, log } = parts;
  const waiting = () => state.get('access_requests') ?? [];
  const forget = (ids: readonly string[]) => {
    const gone = new Set(ids.map((id) => id.toLowerCase()));
    const left = waiting().filter((request) => !gone.has(request.access_request_id));
    state.set('access_requests', left.length === 0 ? null : left);
  };
  let sending: Promise<void> | null = null;

  const sendBatch = async (requests: WireAccessRequest[]): Promise<void> => {
    const answer = await client.post('accessRequests', { device: client.device, requests });
    const ids = requests.map((request) => request.access_request_id);
    const named = [
      ...answer.accepted,
      ...answer.refused.map((refusal) => refusal.access_request_id),
    ].filter((id) => ids.includes(id.toLowerCase()));
    if (named.length === 0) throw new Error('the hub named none of the requests');
    forget(named);
    for (const refusal of answer.refused) log({ ...refusal }, 'the hub refuses a request');
  };

  /** A request that the hub will never accept must not delay the others. */
  const deliver = async () => {
    let limit = BATCH_LIMIT;
    for (let batch = waiting(); batch.length > 0; batch = waiting()) {
      const requests: WireAccessRequest[] = batch.slice(0, limit);
      try {
        await sendBatch(requests);
      } catch (error) {
        if (!isAboutBody(error)) {
          log({ err: error, waiting: batch.length }, 'requests wait');
          return;
        }
        if (requests.length > 1) limit = 1;
        else {
          forget(requests.map((request) => request.access_request_id));
          log({ reason: error.message }, 'the hub refuses a request');
        }
      }
    }
  };

  const send = () => {
    sending ??= deliver()
      // The waiting requests could not be read: the store's own checks report that.
      .catch((error: unknown) => log({ err: error }, 'requests wait'))
      .finally(() => {
        sending = null;
      });
    return sending;
  };

  return {
    ask(asked) {
      const before = waiting();
      const same = before.find(
        (request) =>
          request.entity_id === asked.entity_id &&
          request.process_name === asked.process_name &&
          request.reason === asked.reason,
      );
      if (same !== undefined) {
        return { access_request_id: same.access_request_id, waiting: before.length };
      }
      if (before.length >= WAITING_MAX) {
        throw new PlainError(`${before.length} requests wait for the hub already`);
      }
      const request = {
        access_request_id: parts.makeId(),
        asked_at: new Date(parts.now()).toISOString(),
        ...asked,
      };
      state.set('access_requests', [...before, request]);
      void send();
      return { access_request_id: request.access_request_id, waiting: before.length + 1 };
    },
    send,
  };
}

const isAboutBody = (error: unknown): error is HubRefused =>
  error instanceof HubRefused && (error.status === 400 || error.status === 413);
