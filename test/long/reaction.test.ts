// Two hundred starts of a blocked program, and five minutes of watching two hundred processes: the figures of
// docs/explanation/performance.md. Run: npm run long

import { inOwnNamespace } from '@gatewarden/agent/test/namespace.ts';
import {
  describeReaction,
  measureReaction,
  measureWatching,
} from '@gatewarden/agent/test/reaction.ts';
import { expect, test } from 'vitest';

inOwnNamespace(import.meta.filename, () => {
  test('reacts to two hundred starts', { timeout: 600_000 }, async () => {
    const took = await measureReaction(200);
    expect(took).toHaveLength(200);
    process.stdout.write(`${describeReaction(took)}\n`);
  });

  test('watches processes for five minutes', { timeout: 600_000 }, async () => {
    process.stdout.write(`${await measureWatching(200, 300)}\n`);
  });
});
