// Baselines for the hub: a bare Fastify that inflates, parses and answers, and another that checks the same token,
// sets the same headers and logs as the hub does, and answers a constant.
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { hashSecretHex, isSecret } from '@gatewarden/shared/secrets.ts';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';

const bare = Fastify();
bare.removeAllContentTypeParsers();
bare.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, JSON.parse(gunzipSync(body as Buffer).toString()) as unknown);
});
bare.post('/ingest', (request, reply) => {
  const { batch_id: batchId, entities } = request.body as { batch_id: string; entities: object[] };
  return reply.code(202).send({ batch_id: batchId, accepted: entities.length, unchanged: 0 });
});

const log = createLog('info');
const constant = Fastify({
  loggerInstance: log as FastifyBaseLogger,
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: () => randomUUID(),
});
const tokens = new Map<string, { tenant: string }>();
constant.addHook('onResponse', (request, reply, done) => {
  request.log.debug({ route: request.routeOptions.url, ms: reply.elapsedTime }, 'answered');
  done();
});
constant.get('/ea/v1/sync/delta', (request, reply) => {
  const secret = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (!isSecret('agent', secret)) return reply.code(401).send();
  const hash = hashSecretHex(secret);
  const tenant = request.headers['x-tenant-id'] as string;
  // The first request issues the token here; the tokens of later requests are compared with it.
  const token = tokens.get(hash) ?? { tenant };
  tokens.set(hash, token);
  if (token.tenant !== tenant) return reply.code(403).send();
  return reply
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('etag', '"constant-constant-constant1"')
    .type('application/json; charset=utf-8')
    .send(CONSTANT);
});
// The constant is as long as the hub's own answer.
const CONSTANT = JSON.stringify({
  overrides: [],
  next_cursor: 'x'.repeat(108),
  has_more: false,
  poll_after_seconds: 1,
  enforcement_ceiling: 'enforce',
  inventory_epoch: '00000000.1',
  inventory_confirmed: false,
  server_time: new Date().toISOString(),
});
const addresses = await Promise.all(
  [bare, constant].map((app) => app.listen({ host: '127.0.0.1', port: 0 })),
);
process.stdout.write(`${addresses.join(' ')}\n`);
