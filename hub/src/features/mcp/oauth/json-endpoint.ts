// An endpoint of the OAuth server that responds with JSON: CORS, error format and method.
import type { FastifyRequest } from 'fastify';
import { recordError, toHubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { allowPage } from './allow-page.ts';
import type { OAuthDeps } from './deps.ts';
import {
  asOAuthError,
  OAuthError,
  refuseOthers,
  sendOAuthError,
  type Taken,
  unkept,
} from './errors.ts';
import type { NamespaceLookup } from './namespace-lookup.ts';
import type { Namespace } from './namespaces.ts';

export interface JsonEndpoint {
  path: string;
  body: Taken;
  /** Returns the response. Throws OAuthError. */
  respond(namespace: Namespace, request: FastifyRequest): Promise<{ status: number; body: object }>;
}

/** Registers an endpoint for POST, and its preflight request. */
export function registerJsonEndpoint(
  scope: App,
  deps: OAuthDeps,
  { requireOwnLogin }: NamespaceLookup,
  { path, body: accepted, respond }: JsonEndpoint,
): void {
  scope.options(path, { schema: { hide: true } }, async (request, reply) => {
    await allowPage(deps, await requireOwnLogin(request), request, reply);
    return reply.code(204).send();
  });
  scope.post(
    path,
    {
      schema: { hide: true },
      bodyLimit: accepted.limitKib * 1024,
      errorHandler: (error, request, reply) => {
        if (toHubError(error).code === 'not_found') throw error;
        if (!(error instanceof OAuthError)) recordError(error, request, reply);
        sendOAuthError(reply, asOAuthError(error, accepted));
      },
    },
    async (request, reply) => {
      const namespace = await requireOwnLogin(request);
      await allowPage(deps, namespace, request, reply);
      const { status, body } = await respond(namespace, request);
      return unkept(reply).code(status).send(body);
    },
  );
  refuseOthers(scope, path, 'POST', requireOwnLogin);
}

/** Returns whether the body is a form. */
export const isForm = (request: FastifyRequest) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '');
