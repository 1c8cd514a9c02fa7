import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prefixResultUris } from '../calls/resolve-backend.ts';
import { isRpcMessage, type RpcMessage } from './messages.ts';
import {
  matchesFilter,
  parseListenFilter,
  toClientMessage,
  toServerMessage,
  withoutSubscriptionId,
  withSubscriptionId,
} from './server-messages.ts';
import { type ResumePoint, readEvents } from './sse.ts';

const ORIGIN = { backendId: '0e7c9f3a-1f6e-4a3b-9d6e-1c2b3a4d5e6f', slug: 'files' };
const id = fc.oneof(fc.string(), fc.integer());

test("routes a response to its server, with the server's id", () => {
  fc.assert(
    fc.property(id, id, (given, token) => {
      const asked = toClientMessage(
        {
          jsonrpc: '2.0',
          id: given,
          method: 'sampling/createMessage',
          params: { _meta: { progressToken: token } },
        },
        ORIGIN,
        true,
      );
      const answer = toServerMessage({ jsonrpc: '2.0', id: asked.id as string, result: {} });
      expect(answer).toMatchObject({ backendId: ORIGIN.backendId, message: { id: given } });
      const meta = asked.params?._meta as { progressToken: string };
      const progress = toServerMessage({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: meta.progressToken, progress: 1 },
      });
      expect(progress?.message.params).toEqual({ progressToken: token, progress: 1 });
    }),
  );
});

test('renames cancellations and resource updates for the client', () => {
  const translate = (method: string, params: Record<string, unknown>, isAggregated = true) =>
    toClientMessage({ jsonrpc: '2.0', method, params }, ORIGIN, isAggregated).params;
  const asked = toClientMessage({ jsonrpc: '2.0', id: 7, method: 'roots/list' }, ORIGIN, true);
  expect(translate('notifications/cancelled', { requestId: 7 })).toEqual({ requestId: asked.id });
  const updated = 'notifications/resources/updated';
  expect(translate(updated, { uri: 'file:///a' })).toEqual({ uri: 'gw-files+file:///a' });
  expect(translate(updated, { uri: 'file:///a' }, false)).toEqual({ uri: 'file:///a' });
});

test('maps links of results and prompts back to their server', () => {
  const backend = { slug: 'files' } as never;
  const resource = { type: 'resource', resource: { uri: 'file:///a', text: 'x' } };
  const link = { type: 'resource_link', uri: 'file:///b' };
  const result = { content: [link], messages: [{ role: 'user', content: resource }, 'odd'] };
  expect(prefixResultUris({ isAggregated: false }, backend, result)).toEqual(result);
  expect(prefixResultUris({ isAggregated: true }, backend, result)).toEqual({
    content: [{ ...link, uri: 'gw-files+file:///b' }],
    messages: [
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'gw-files+file:///a', text: 'x' } },
      },
      'odd',
    ],
  });
});

test('reads server metadata of a result only where the gateway wrote it', () => {
  for (const bad of ['x', 'gw:', `gw:${ORIGIN.backendId}:{`, 'gw:../../x:1', 5]) {
    expect(toServerMessage({ jsonrpc: '2.0', id: bad, result: {} })).toBeNull();
  }
});

test('notifies a subscription only of its own topics, with its id', () => {
  const filter = parseListenFilter({
    notifications: {
      toolsListChanged: true,
      promptsListChanged: 1,
      resourceSubscriptions: ['a', 'a'],
    },
  });
  expect(filter).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a'] });
  expect(parseListenFilter({})).toBeNull();
  expect(parseListenFilter({ notifications: { resourceSubscriptions: [1] } })).toBeNull();
  const message = (method: string, params?: Record<string, unknown>): RpcMessage => ({
    jsonrpc: '2.0',
    method,
    ...(params === undefined ? {} : { params }),
  });
  const passes = (rpcMessage: RpcMessage) => filter !== null && matchesFilter(rpcMessage, filter);
  expect(passes(message('notifications/tools/list_changed'))).toBe(true);
  expect(passes(message('notifications/prompts/list_changed'))).toBe(false);
  expect(passes(message('notifications/resources/updated', { uri: 'a' }))).toBe(true);
  expect(passes(message('notifications/resources/updated', { uri: 'b' }))).toBe(false);
  expect(passes(message('notifications/message', { level: 'info' }))).toBe(false);
  for (const item of [
    message('notifications/tools/list_changed'),
    message('notifications/resources/updated', { uri: 'a', _meta: { x: 1 } }),
  ]) {
    expect(withoutSubscriptionId(withSubscriptionId(item, 'mine'))).toEqual(item);
  }
});

test('parses events at any chunk boundaries', async () => {
  const message = fc
    .record({
      jsonrpc: fc.constant('2.0'),
      method: fc.string(),
      params: fc.dictionary(fc.string(), fc.jsonValue()),
    })
    .filter(isRpcMessage);
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 5 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('\n', '\r', '\r\n'),
      async (all, size, lineEnd) => {
        const written = (rpcMessage: RpcMessage, i: number) =>
          `id: ${i}\ndata: ${JSON.stringify(rpcMessage, null, 1).replaceAll('\n', '\ndata: ')}\n\n`;
        const bytes = Buffer.from(all.map(written).join('').replaceAll('\n', lineEnd));
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        const resumePoint: ResumePoint = { lastEventId: null, retryMs: null };
        const found: RpcMessage[] = [];
        for await (const event of readEvents(parts as never, 1_000_000, { resumePoint }))
          found.push(event);
        expect(found).toEqual(JSON.parse(JSON.stringify(all)));
        expect(resumePoint.lastEventId).toBe(all.length === 0 ? null : String(all.length - 1));
      },
    ),
  );
});

test('ignores an unreadable error', () => {
  const reads = (error: unknown) => isRpcMessage({ jsonrpc: '2.0', id: 1, error });
  expect(reads({ code: -1, message: 'm', data: {} })).toBe(true);
  for (const bad of [
    {},
    'x',
    { code: '-1', message: 'm' },
    { code: 1.5, message: 'm' },
    { code: 1 },
  ])
    expect(reads(bad)).toBe(false);
});

test('rejects an id that is no header value', async () => {
  const resumePoint: ResumePoint = { lastEventId: null, retryMs: null };
  const text = `id: a\u0001b\nretry: 99999999\ndata: {}\n\n`;
  for await (const _one of readEvents([text] as never, 1_000, { resumePoint }));
  expect(resumePoint).toEqual({ lastEventId: null, retryMs: 30_000 });
});
