// The state of a sign-in before its password is verified, in a sealed cookie of the browser, so that starting sign-ins
// writes nothing to the database. The adapter of oidc-provider has no request at hand: an AsyncLocalStorage carries it.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AdapterPayload, errors } from 'oidc-provider';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import {
  type CookieKind,
  cookieName,
  readCookie,
  surplusCookies,
} from '../../../platform/http/server/cookies.ts';
import type { SessionCookie } from './session-cookie.ts';

const LIFE_SECONDS = 600;
const SEAL_LOCATION = 'cookie/login-state';
/** Browsers drop cookies above 4,096 bytes, name and attributes included. */
const VALUE_MAX = 3_800;

const STATE: CookieKind = {
  prefix: 'gw_login_state',
  max: 3,
  options: { path: '/auth', maxAge: LIFE_SECONDS },
};

export interface LoginState {
  /** Runs `work` with access to the state cookies of this request. */
  within<T>(request: FastifyRequest, reply: FastifyReply, work: () => T): T;
  read(uid: string): AdapterPayload | undefined;
  write(uid: string, payload: AdapterPayload): void;
}

/** Creates the store of pending sign-ins in cookies. */
export function createLoginState(options: { sealer: Sealer; cookie: SessionCookie }): LoginState {
  const { sealer, cookie } = options;
  const current = new AsyncLocalStorage<{ request: FastifyRequest; reply: FastifyReply }>();
  return {
    within: (request, reply, work) => current.run({ request, reply }, work),
    read(uid) {
      const { request } = current.getStore() ?? {};
      const value = request === undefined ? undefined : readCookie(STATE, request, uid);
      if (value === undefined || value.length > VALUE_MAX) return undefined;
      try {
        const state = JSON.parse(sealer.unseal(value, SEAL_LOCATION)) as {
          uid: string;
          payload: AdapterPayload;
        };
        const isCurrent = state.uid === uid && (state.payload.exp ?? 0) * 1000 > Date.now();
        return isCurrent ? state.payload : undefined;
      } catch {
        // A forged cookie, or a cookie of another installation, counts as no cookie.
        return undefined;
      }
    },
    write(uid, payload) {
      const { request, reply } = current.getStore() ?? {};
      if (request === undefined || reply === undefined) {
        throw new Error('a sign-in can only be started within a request');
      }
      const value = sealer.seal(JSON.stringify({ uid, payload }), SEAL_LOCATION);
      if (value.length > VALUE_MAX) {
        throw new errors.InvalidRequest('the authorization request is too large');
      }
      const attributes = { ...cookie.options, ...STATE.options };
      const write = (name: string, text: string, extra: object = {}) =>
        reply.raw.appendHeader(
          'set-cookie',
          request.server.serializeCookie(name, text, { ...attributes, ...extra }),
        );
      for (const name of surplusCookies(STATE, request)) write(name, '', { expires: new Date(0) });
      write(cookieName(STATE, uid), value);
    },
  };
}
