// What ingest is measured against: a bare Fastify that inflates, parses and answers, and one that answers a constant.
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';

const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, JSON.parse(gunzipSync(body as Buffer).toString()) as unknown);
});
app.post('/ingest', (request, reply) => {
  const { batch_id: batchId, entities } = request.body as { batch_id: string; entities: object[] };
  return reply.code(202).send({ batch_id: batchId, accepted: entities.length, unchanged: 0 });
});
const CONSTANT = { overrides: [], next_cursor: 'x'.repeat(120), has_more: false };
app.get('/delta', (request, reply) => {
  // The same token check, headers and answer as the hub's, without anything behind them.
  if (request.headers.authorization?.startsWith('Bearer ') !== true) return reply.code(401).send();
  return reply
    .header('cache-control', 'no-store')
    .header('x-request-id', request.id)
    .header('etag', '"constant"')
    .send({ ...CONSTANT, server_time: new Date().toISOString() });
});
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
