// The OpenAPI document of all routes for developers, the part for the console's
// scripts, and what each error code means. All of it is public: it is the same in every installation of this version.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  ErrorCodesAnswer,
  type ExplainedError,
} from '@gatewarden/shared/wire/console/error-codes.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_SECTIONS } from '../platform/http/errors/error-help.ts';
import { ERRORS, type ErrorCode } from '../platform/http/errors/error-list.ts';
import { CONSOLE_API } from '../platform/http/lists/console-lists.ts';
import { completeDocument } from '../platform/http/openapi/complete.ts';
import type { App } from '../platform/http/server/app.ts';
import { acceptsGzip } from '../platform/http/server/content-encoding.ts';
import { matchesIfNoneMatch } from '../platform/http/server/etag.ts';

/** Registers the routes that describe all others. */
export function registerReference(app: App): void {
  app.get(
    '/openapi.json',
    { schema: { hide: true } },
    madeOnce(() => wholeDocument(app)),
  );
  app.get(
    '/console/api/openapi.json',
    { schema: { hide: true } },
    madeOnce(() => consoleDocument(app)),
  );
  app.get(
    '/errors.json',
    {
      config: { takesAnyQuery: true },
      schema: {
        tags: ['reference'],
        summary: 'List the error codes with status, cause and fix',
        response: { 200: ErrorCodesAnswer },
      },
    },
    () => ({ errors: explainedErrors() }),
  );
}

/** The OpenAPI document of every route that is not hidden, with each named schema written once. */
export function wholeDocument(app: App): object {
  return completeDocument(app.swagger());
}

/** The OpenAPI document, cut to what the console and scripts may call. */
function consoleDocument(app: App): object {
  const document = app.swagger();
  const paths = Object.entries(document.paths ?? {}).filter(([path]) =>
    path.startsWith(CONSOLE_API),
  );
  return completeDocument({ ...document, paths: Object.fromEntries(paths) });
}

function explainedErrors(): ExplainedError[] {
  return ERROR_SECTIONS.flatMap(({ title, codes }) =>
    Object.entries(codes).map(([code, { cause, cure }]) => ({
      code,
      status: ERRORS[code as ErrorCode].status,
      section: title,
      cause,
      cure,
    })),
  );
}

/** A megabyte that is the same until the hub is another: made for the first who asks, and sent packed to who takes that. */
function madeOnce(make: () => object) {
  let made: { text: string; packed: Buffer; etag: string } | null = null;
  return (request: FastifyRequest, reply: FastifyReply) => {
    made ??= packedUp(JSON.stringify(make()));
    const { text, packed, etag } = made;
    void reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    void reply.type('application/json; charset=utf-8');
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(packed);
  };
}

function packedUp(text: string) {
  const sum = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { text, packed: gzipSync(text), etag: `"${sum}"` };
}
