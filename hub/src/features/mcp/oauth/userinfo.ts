// GET /oauth/userinfo, with a token of any namespace.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { InvalidTokenError, type TokenCheck } from '../access-tokens/index.ts';
import { refuseOthers } from './errors.ts';

export function registerUserinfo(scope: App, deps: { check: TokenCheck; origin: string }): void {
  scope.get('/oauth/userinfo', { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    try {
      const caller = await deps.check.authenticate(
        {
          ...(request.headers.authorization === undefined
            ? {}
            : { authorization: request.headers.authorization }),
        },
        { namespace: null, backend: null },
      );
      const sub =
        caller.userId ?? hashSecret(`person ${caller.email.toLowerCase()}`).toString('base64url');
      return { sub, email: caller.email, preferred_username: caller.email };
    } catch (error) {
      if (!(error instanceof InvalidTokenError)) throw error;
      const problem = error.hadToken ? ' error="invalid_token"' : '';
      return reply
        .code(401)
        .header('www-authenticate', `Bearer${problem}`)
        .send({ error: 'invalid_token', error_description: error.message });
    }
  });
  scope.get('/api/mcp_base_url', { schema: { hide: true } }, async () => ({
    mcp_base_url: deps.origin,
  }));
  for (const url of ['/oauth/userinfo', '/api/mcp_base_url']) refuseOthers(scope, url, 'GET');
}
