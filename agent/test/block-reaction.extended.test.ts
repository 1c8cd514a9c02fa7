// Every blocked start ends and is reported once. This is the small size of test/long/reaction.
import { expect, test } from 'vitest';
import { inOwnNamespace } from './namespace.ts';
import { measureReaction } from './reaction.ts';

inOwnNamespace(import.meta.filename, () => {
  test('terminates every start of a blocked program', async () => {
    expect(await measureReaction(20)).toHaveLength(20);
  });
});
