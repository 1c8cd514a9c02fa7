// The console's built files under /console/, with the headers that keep a page from running anything else.
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { App } from './app.ts';
import { HubError } from './errors.ts';

export const CONSOLE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Headers of all pages. */
export const PAGE_HEADERS = {
  'content-security-policy': CONSOLE_CSP,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** Serves `dist`; any path of the console that is no file is the application itself. */
export async function registerConsoleFiles(app: App, dist: string): Promise<void> {
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/console/', 303));
  app.get('/console', { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/console/', 303),
  );
  const index = join(dist, 'index.html');
  if (existsSync(index)) {
    await app.register(fastifyStatic, {
      root: dist,
      prefix: '/console/',
      // Routes for the files that are there now; every other path is the application.
      wildcard: false,
      globIgnore: ['index.html', '**/*.{br,gz}'],
      preCompressed: true,
      index: false,
      schemaHide: true,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        void reply.headers(PAGE_HEADERS);
        // Built names carry a hash; the few others are asked for again.
        const isHashed = path.includes(`${sep}assets${sep}`);
        void reply.header(
          'cache-control',
          isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  const page = { schema: { hide: true }, config: { isPage: true } };
  app.get('/console/*', page, (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    if (path.startsWith('api/') || path.startsWith('assets/') || isMissingFile(path)) {
      throw new HubError('not_found');
    }
    if (!existsSync(index)) throw new HubError('console_not_built');
    return reply
      .type('text/html; charset=utf-8')
      .headers(PAGE_HEADERS)
      .header('cache-control', 'no-cache')
      .send(readFileSync(index));
  });
}

/** All pages stand below `t/`, where names may end like files. Elsewhere such a name is a file that is not there. */
const isMissingFile = (path: string): boolean =>
  !path.startsWith('t/') && /\.[a-z0-9]{1,11}$/i.test(path);
