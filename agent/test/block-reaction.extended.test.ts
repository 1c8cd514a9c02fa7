// The small size of test/long/reaction: every blocked start ends and is told once.
import { expect, test } from 'vitest';
import { inOwnNamespace } from './namespace.ts';
import { measureReaction } from './reaction.ts';

inOwnNamespace(import.meta.filename, () => {
  test('every start of a blocked program ends', async () => {
    expect(await measureReaction(20)).toHaveLength(20);
  });
});
