// Credentials are allowed only in certain headers.
import { expect, test } from 'vitest';
import { sealedAuth } from './auth.ts';

const tools = { sealer: { seal: () => 'sealed' }, checkUrl: () => undefined } as never;
const stored = (header: string) =>
  sealedAuth(
    tools,
    ['2f1a7ec4-f41e-42dd-ad01-05c8d1912522', '924f5def-e87e-4b1f-b4bf-6dcca57b2905'],
    { kind: 'shared', header, secret: 'secret' },
    null,
  );

test.each(['Host', 'Upgrade', 'Expect', 'Keep-Alive', 'TE', 'Trailer', 'Content-Encoding'])(
  'rejects a credential in %s, which would break every request',
  (header) => {
    expect(() => stored(header)).toThrow(/header/);
  },
);

test('accepts a credential in any other header', () => {
  expect(stored('X-Api-Key').auth).toEqual({ kind: 'shared', header: 'X-Api-Key', prefix: '' });
});
