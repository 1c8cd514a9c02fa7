// Serves the console's built files under /console/, with headers that restrict a page to its own code.
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { HubError } from '../errors/errors.ts';
import type { App } from './app.ts';

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

/** Registers the files of `dist`. Any other console path is the application itself. */
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
      // Routes exist only for the files present at startup; every other path is the application.
      wildcard: false,
      globIgnore: ['index.html', '**/*.{br,gz}'],
      preCompressed: true,
      index: false,
      schemaHide: true,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        void reply.headers(PAGE_HEADERS);
        // Built names contain a hash; the few other files are revalidated.
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

/** All pages are below `t/`, where a name may end like a file name. Elsewhere such a path is a missing file. */
const isMissingFile = (path: string): boolean =>
  !path.startsWith('t/') && /\.[a-z0-9]{1,11}$/i.test(path);
