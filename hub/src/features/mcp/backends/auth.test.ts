// Which headers may carry a credential.
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
  'no credential is sent as %s, with which no call would go out',
  (header) => {
    expect(() => stored(header)).toThrow(/header/);
  },
);

test('any other header may carry it', () => {
  expect(stored('X-Api-Key').auth).toEqual({ kind: 'shared', header: 'X-Api-Key', prefix: '' });
});
