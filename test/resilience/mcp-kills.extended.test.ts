// A hub process ends midway: its running calls end with an error, and persistent state continues in another process.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import {
  aSession,
  first,
  listen,
  type Message,
  messagesIn,
  modern,
  send,
} from '../support/mcp-messages.ts';
import { aServerOfBefore } from '../support/mcp-talking-servers.ts';
import { freePort, HUB_MAIN, type Program, startProgram } from '../support/programs.ts';

let m: McpHub;
let server: Awaited<ReturnType<typeof aServerOfBefore>>;
let doomed: Program | undefined;
let at: { url: string };

beforeAll(async () => {
  m = await startMcpHub();
  server = await aServerOfBefore();
  await m.aBackend('before', server.url);
  const { config, url } = m.hub;
  const port = String(await freePort());
  doomed = await startProgram(HUB_MAIN, ['serve'], {
    DATABASE_URL: config.databaseUrl ?? '',
    HUB_MASTER_KEY: (config.masterKey as { text: string }).text,
    HUB_PORT: port,
    BASE_URL: url,
    HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8',
  });
  at = { url: `http://127.0.0.1:${port}` };
});
afterAll(async () => {
  await doomed?.end('SIGKILL');
  await m.hub.stop();
  await server.close();
});

const ask = (more: object = {}) =>
  modern(
    { id: 1, method: 'tools/call', params: { name: 'before__ask', arguments: {}, ...more } },
    { elicitation: {} },
  );
const answerTo = async (hub: { url: string }, { body, headers }: ReturnType<typeof ask>) =>
  first(messagesIn(await send(hub, m.token, body, headers)), (message) => message.id === 1);
const green = { question: { action: 'accept', content: { colour: 'green' } } };
const goingOn = ({ result }: Message) =>
  ask({ requestState: result.requestState, inputResponses: green });

test('ends a call whose process ended during an elicitation, and continues the session elsewhere', async () => {
  const session = await aSession(at, m.token, { roots: {} });
  const stream = messagesIn(await listen(at, m.token, session));
  const read = {
    jsonrpc: '2.0',
    id: 1,
    method: 'resources/read',
    params: { uri: 'gw-before+memo://note' },
  };
  const asRead = async (hub: { url: string }) =>
    (
      await first(
        messagesIn(await send(hub, m.token, read, session)),
        (message) => message.id === 1,
      )
    ).result;
  expect(await asRead(at)).toMatchObject({ contents: [{ text: 'a note' }] });
  const waiting = await answerTo(at, ask());
  expect(waiting.result).toMatchObject({ resultType: 'input_required' });
  await doomed?.end('SIGKILL');
  await stream.return(undefined).catch(() => undefined);

  expect((await answerTo(m.hub, goingOn(waiting))).error).toMatchObject({
    message: expect.stringContaining('No call is waiting for this response'),
  });
  expect(await asRead(m.hub)).toMatchObject({ contents: [{ text: 'a note' }] });
  const notices = messagesIn(await listen(m.hub, m.token, { ...session, 'last-event-id': 'x' }));
  expect((await first(notices, () => true)).method).toBe('notifications/tools/list_changed');
  await notices.return(undefined);
});

test('rejects a response that was used before', async () => {
  const waiting = await answerTo(m.hub, ask());
  expect((await answerTo(m.hub, goingOn(waiting))).result.content[0].text).toBe('accept green');
  expect((await answerTo(m.hub, goingOn(waiting))).error).toMatchObject({
    message: expect.stringContaining('No call is waiting for this response'),
  });
});
