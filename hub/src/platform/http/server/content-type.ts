// Routes with self-describing bodies accept any Content-Type. Fastify alone would reject a malformed header.
import type { App } from './app.ts';

/** Matches a media type up to its parameters. */
export const MEDIA_TYPE = /^[\w!#$%&'*.^`|~+-]+\/[\w!#$%&'*.^`|~+-]+[ \t]*(;|$)/;

/** Ignores an empty or malformed Content-Type in a scope. */
export function acceptAnyContentType(scope: App): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    const { 'content-type': type } = request.headers;
    if (type !== undefined && !MEDIA_TYPE.test(type)) delete request.headers['content-type'];
    done();
  });
}
