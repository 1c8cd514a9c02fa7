// The built documentation under /docs/, with the security policy of the console: pages work without a network.
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { HubError } from '../errors/errors.ts';
import type { App } from './app.ts';
import { PAGE_HEADERS } from './console-files.ts';

const PREFIX = '/docs/';
const hidden = { schema: { hide: true }, config: { isPage: true } };

/**
 * Serves the site in `dist`, with `/docs/llms.txt` and the Markdown of each page. Every path is answered 503 `docs_not_built`
 * if the site was not built.
 */
export async function registerDocsFiles(app: App, dist: string): Promise<void> {
  app.get('/docs', hidden, (_request, reply) => reply.redirect(PREFIX, 303));
  if (!existsSync(join(dist, 'index.html'))) {
    app.get(`${PREFIX}*`, hidden, () => {
      throw new HubError('docs_not_built');
    });
    return;
  }
  await app.register(fastifyStatic, {
    root: dist,
    prefix: PREFIX,
    dotfiles: 'ignore',
    preCompressed: true,
    // The library finds the index of a compressed folder only in a list.
    index: ['index.html'],
    schemaHide: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.headers(PAGE_HEADERS);
      // Built names contain a hash; all other files are requested again.
      const isHashed = path.includes(`${sep}assets${sep}`);
      void reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
}
