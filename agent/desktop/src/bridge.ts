// From a page's question to the service's answer: only calls of the contract, checked on the way there and back.
import { LOCAL_ENDPOINTS, type LocalCall } from '@gatewarden/shared/wire/local/service.ts';
import { Value } from 'typebox/value';
import { askService } from '../../src/local-api/socket-client.ts';
import { readOwnKey } from '../../src/local-api/user-keys.ts';
import { messageOf } from '../../src/runtime/errors.ts';
import type { HubResponse } from './contract.ts';
import { findServices } from './service-locator.ts';

export interface Bridge {
  /** Throws nothing: what went wrong is an answer, too. */
  ask(call: unknown, body: unknown): Promise<HubResponse<unknown>>;
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
        const { found, problem } = findServices(dataDirs);
        const { method, path } = endpoint;
        const sent = body === null ? '' : JSON.stringify(body);
        for (const dataDir of found) {
          const key = readOwnKey(dataDir);
          const answer = await askService(dataDir, 'status', method, path, key, sent);
          if (answer === null) continue;
          if (Value.Check(endpoint.answer, answer)) return { ok: true, value: answer };
          return { ok: false, problem: 'not_understood', why: call };
        }
        return { ok: false, problem, why: '' };
      } catch (error) {
        return { ok: false, problem: 'failed', why: messageOf(error) };
      }
    },
  };
}

const isCall = (call: unknown): call is LocalCall =>
  typeof call === 'string' && Object.hasOwn(LOCAL_ENDPOINTS, call);
