// Programs that the gateway's benchmark measures against, in a process of their own: `upstream` answers a chat completion
// of 1 KB, or streams it; `bare` is a Fastify that passes requests to the upstream by undici and does nothing else.
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

const app = Fastify({ bodyLimit: 16 * 2 ** 20 });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
if (role === 'upstream') {
  app.post('/v1/chat/completions', (request, reply) => {
    if (!(request.body as Buffer).includes('"stream":true')) return reply.send(COMPLETION);
    const chunks = TEXT.split(' ').map((content) =>
      JSON.stringify({ ...COMPLETION, choices: [{ index: 0, delta: { content } }], usage: null }),
    );
    const events = [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
    return reply.type('text/event-stream').send(events);
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
