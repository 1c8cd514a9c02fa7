// From a page's question to the service's answer: only calls of the contract, checked on the way there and back.
import { LOCAL_ENDPOINTS, type LocalCall } from '@gatewarden/shared/wire/local/service.ts';
import { Value } from 'typebox/value';
import { askService } from '../../src/control/client.ts';
import { messageOf } from '../../src/errors.ts';
import { readOwnKey } from '../../src/people.ts';
import type { Answered } from './contract.ts';
import { findService } from './place.ts';

export interface Bridge {
  /** Throws nothing: what went wrong is an answer, too. */
  ask(call: unknown, body: unknown): Promise<Answered<unknown>>;
}

/** A bridge to the service of this device; it is looked for anew with every question, for it may come and go. */
export function createBridge(dataDirs: readonly string[]): Bridge {
  return {
    async ask(call, body) {
      if (!isCall(call)) return { ok: false, problem: 'failed', why: 'this is no question' };
      const endpoint = LOCAL_ENDPOINTS[call];
      const request = 'request' in endpoint ? endpoint.request : null;
      if (request === null ? body !== null : !Value.Check(request, body)) {
        return { ok: false, problem: 'failed', why: 'the question is not complete' };
      }
      try {
        const service = findService(dataDirs);
        if ('problem' in service) return { ok: false, problem: service.problem, why: '' };
        const answer = await askService(
          service.dataDir,
          'status',
          endpoint.method,
          endpoint.path,
          readOwnKey(service.dataDir),
          body === null ? '' : JSON.stringify(body),
        );
        if (answer === null) return { ok: false, problem: 'no_service', why: '' };
        if (Value.Check(endpoint.answer, answer)) return { ok: true, value: answer };
        return { ok: false, problem: 'not_understood', why: call };
      } catch (error) {
        return { ok: false, problem: 'failed', why: messageOf(error) };
      }
    },
  };
}

const isCall = (call: unknown): call is LocalCall =>
  typeof call === 'string' && Object.hasOwn(LOCAL_ENDPOINTS, call);
