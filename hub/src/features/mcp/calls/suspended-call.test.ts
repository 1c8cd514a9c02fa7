// A suspended call is resumed or abandoned: its server is notified, and its channel is closed.
import { expect, test } from 'vitest';
import type { RpcMessage } from '../protocol/messages.ts';
import type { InputContext } from './context.ts';
import { requestDigest } from './forward.ts';
import { resumeCall } from './suspended-call.ts';

const SECOND_REQUEST: RpcMessage = {
  jsonrpc: '2.0',
  id: 'second',
  method: 'elicitation/create',
  params: { message: 'And then?', requestedSchema: { type: 'object', properties: {} } },
};

/** Resumes a call whose server sends a second request, with a reply channel in memory. */
function resumeInMemory({ failsToAbandon = false } = {}) {
  const sentSlots: string[] = [];
  let isOpen = false;
  const disconnect = new AbortController();
  const envelopes = [
    { slot: 'received 0', message: null },
    { slot: '0', message: SECOND_REQUEST },
  ];
  const context: InputContext = {
    tenantId: 't',
    owner: { hash: Buffer.alloc(1), capabilities: { elicitation: {} }, logLevel: null },
    replyChannel: {
      open() {
        isOpen = true;
        return {
          next: async () => envelopes.shift() ?? new Promise<never>(() => undefined),
          close() {
            isOpen = false;
          },
        };
      },
      async send(_tenantId, _channelId, { slot }) {
        if (failsToAbandon && slot === 'abandoned') throw new Error('the database is down');
        sentSlots.push(slot);
      },
      useOnce: async () => true,
    },
    cursors: {
      seal: (_binding: unknown, value: unknown) => JSON.stringify(value),
      open: (_binding: unknown, text: string) => JSON.parse(text),
    } as never,
    signal: disconnect.signal,
    acceptsStream: false,
  };
  const state = {
    answerChannel: 'answers',
    messageChannel: 'messages',
    round: 0,
    position: 0,
    key: 'question',
  };
  const params = {
    requestState: `gw1.${JSON.stringify(state)}`,
    inputResponses: { question: { action: 'accept', content: {} } },
  };
  const messages = resumeCall(context, requestDigest('tools/call', params), params);
  return { messages, sentSlots, disconnect, isOpen: () => isOpen };
}

test('keeps the server waiting for a second elicitation that the client received', async () => {
  const { messages, sentSlots, isOpen } = resumeInMemory();
  const received = await Array.fromAsync(messages);
  expect(received).toMatchObject([{ result: { resultType: 'input_required' } }]);
  expect(sentSlots).toEqual(['0']);
  expect(isOpen()).toBe(false);
});

test('notifies the server at once when a guardrail blocks a second elicitation', async () => {
  const { messages, sentSlots, isOpen } = resumeInMemory();
  const blocked = async () => {
    for await (const _message of messages) throw new Error('blocked by a guardrail');
  };
  await expect(blocked()).rejects.toThrow('blocked by a guardrail');
  expect(sentSlots).toEqual(['0', 'abandoned']);
  expect(isOpen()).toBe(false);
});

test('notifies the server when the client disconnects during an elicitation', async () => {
  const { messages, sentSlots, disconnect } = resumeInMemory();
  for await (const _message of messages) disconnect.abort();
  expect(sentSlots).toEqual(['0', 'abandoned']);
});

test('closes the reply channel when the database fails', async () => {
  const { messages, isOpen } = resumeInMemory({ failsToAbandon: true });
  await messages.next();
  await expect(messages.return(undefined)).rejects.toThrow('the database is down');
  expect(isOpen()).toBe(false);
});
