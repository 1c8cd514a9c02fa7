// A suspended call is resumed or abandoned: its server is notified, and other calls remain open.
import { expect, test } from 'vitest';
import { type Asker, requestDigest, resume } from './asking.ts';
import type { Rpc } from './messages.ts';

const QUESTION: Rpc = {
  jsonrpc: '2.0',
  id: 'second',
  method: 'elicitation/create',
  params: { message: 'And then?', requestedSchema: { type: 'object', properties: {} } },
};

/** A call whose server asks a second question, at a mail that lies in memory. */
function aParkedCall(fails = false) {
  const put: string[] = [];
  let isOpen = false;
  const gone = new AbortController();
  const letters = [
    { slot: 'taken 0', message: null },
    { slot: '0', message: QUESTION },
  ];
  const asker: Asker = {
    tenantId: 't',
    owner: { hash: Buffer.alloc(1), capabilities: { elicitation: {} }, logLevel: null },
    mail: {
      open() {
        isOpen = true;
        return {
          next: async () => letters.shift() ?? new Promise<never>(() => undefined),
          close() {
            isOpen = false;
          },
        };
      },
      async put(_tenantId, _box, slot) {
        if (fails && slot === 'gone') throw new Error('the database is away');
        put.push(slot);
      },
      use: async () => true,
    },
    cursors: {
      seal: (_binding: unknown, value: unknown) => JSON.stringify(value),
      open: (_binding: unknown, text: string) => JSON.parse(text),
    } as never,
    signal: gone.signal,
    takesStream: false,
  };
  const parked = { box: 'b', out: 'o', question: 0, letter: 0, key: 'question', says: true };
  const params = {
    requestState: `gw1.${JSON.stringify(parked)}`,
    inputResponses: { question: { action: 'accept', content: {} } },
  };
  const messages = resume(asker, requestDigest('tools/call', params), params);
  return { messages, put, gone, isOpen: () => isOpen };
}

test('keeps the server waiting for a second elicitation that the client received', async () => {
  const { messages, put, isOpen } = aParkedCall();
  const given = [];
  for await (const one of messages) given.push(one);
  expect(given).toMatchObject([{ result: { resultType: 'input_required' } }]);
  expect(put).toEqual(['0']);
  expect(isOpen()).toBe(false);
});

test('notifies the server at once when a guardrail stops a second elicitation', async () => {
  const { messages, put, isOpen } = aParkedCall();
  const stopped = async () => {
    for await (const _one of messages) throw new Error('a rule stops it');
  };
  await expect(stopped()).rejects.toThrow('a rule stops it');
  expect(put).toEqual(['0', 'gone']);
  expect(isOpen()).toBe(false);
});

test('notifies the server when the client disconnects during an elicitation', async () => {
  const { messages, put, gone } = aParkedCall();
  for await (const _one of messages) gone.abort();
  expect(put).toEqual(['0', 'gone']);
});

test('closes the reply channel when the database fails meanwhile', async () => {
  const { messages, isOpen } = aParkedCall(true);
  await messages.next();
  await expect(messages.return(undefined)).rejects.toThrow('the database is away');
  expect(isOpen()).toBe(false);
});
