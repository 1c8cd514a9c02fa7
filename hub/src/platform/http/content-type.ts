// Routes whose bodies say what they are take any Content-Type; the framework alone refuses what is none at all.
import type { App } from './app.ts';

/** What every media type begins with, up to its parameters. */
export const MEDIA_TYPE = /^[\w!#$%&'*.^`|~+-]+\/[\w!#$%&'*.^`|~+-]+[ \t]*(;|$)/;

/** A Content-Type that is empty or malformed counts as none. */
export function takeAnyContentType(scope: App): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    const { 'content-type': type } = request.headers;
    if (type !== undefined && !MEDIA_TYPE.test(type)) delete request.headers['content-type'];
    done();
  });
}
