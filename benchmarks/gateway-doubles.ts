// Programs that the gateway's benchmark measures against, in a process of their own: `upstream` answers a chat completion
// of 1 KB, or streams 50 events; `bare` is a Fastify that passes requests to the upstream by undici and does nothing else.
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import Fastify from 'fastify';
import { Pool } from 'undici';

const [role, upstreamUrl = ''] = process.argv.slice(2);
const TEXT = 'The benchmark answers a text of about one kilobyte. '.repeat(16);
const COMPLETION = {
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_750_000_000,
  model: 'bench-model',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 200, completion_tokens: 200, total_tokens: 400 },
};

const EVENTS = 50;
const EVENT_MS = 5;

/** Yields the events of a stream, each with the time of its sending in milliseconds. */
async function* pacedEvents() {
  for (let i = 0; i < EVENTS; i++) {
    if (i > 0) await setTimeout(EVENT_MS);
    const choices = [{ index: 0, delta: { content: 'word ' } }];
    const sent_at = performance.timeOrigin + performance.now();
    yield `data: ${JSON.stringify({ ...COMPLETION, choices, usage: null, sent_at })}\n\n`;
  }
  yield 'data: [DONE]\n\n';
}

const app = Fastify({ bodyLimit: 16 * 2 ** 20 });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
if (role === 'upstream') {
  app.post('/v1/chat/completions', (request, reply) => {
    if (!(request.body as Buffer).includes('"stream":true')) return reply.send(COMPLETION);
    return reply.type('text/event-stream').send(Readable.from(pacedEvents()));
  });
} else {
  const pool = new Pool(upstreamUrl, { connections: 128 });
  app.post('/v1/chat/completions', async (request, reply) => {
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: request.url,
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench' },
      body: request.body as Buffer,
    });
    return reply.code(statusCode).type(String(headers['content-type'])).send(body);
  });
}
process.stdout.write(`${await app.listen({ port: 0 })}\n`);
