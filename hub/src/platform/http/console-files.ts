// The console's built files under /console/, with the headers that keep a page from running anything else.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const PAGE_HEADERS = {
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
  if (existsSync(join(dist, 'assets'))) {
    await app.register(fastifyStatic, {
      root: join(dist, 'assets'),
      prefix: '/console/assets/',
      schemaHide: true,
      immutable: true,
      maxAge: '365d',
      index: false,
      decorateReply: false,
      setHeaders: (reply) => {
        void reply.header('content-security-policy', CONSOLE_CSP);
      },
    });
  }
  const icon = join(dist, 'favicon.svg');
  app.get('/console/favicon.svg', { schema: { hide: true } }, (_request, reply) => {
    if (!existsSync(icon)) throw new HubError('not_found');
    return reply.type('image/svg+xml').headers(PAGE_HEADERS).send(readFileSync(icon));
  });
  app.get('/console/*', { schema: { hide: true } }, (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    if (path.startsWith('api/') || path.startsWith('assets/')) throw new HubError('not_found');
    if (!existsSync(index)) throw new HubError('console_not_built');
    return reply
      .type('text/html; charset=utf-8')
      .headers(PAGE_HEADERS)
      .header('cache-control', 'no-cache')
      .send(readFileSync(index));
  });
}
