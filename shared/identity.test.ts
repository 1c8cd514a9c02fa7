// Ids are equal on every machine for the same thing, and different for different things.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entityId, processId, sha256Hex } from './identity.ts';

test('derives an entity id as the hash of four parts', () => {
  expect(entityId('linux', 'package', 'dpkg', 'bash')).toBe(
    sha256Hex('linux\0package\0dpkg\0bash'),
  );
  expect(entityId('linux', 'package', 'dpkg', 'bash')).toMatch(/^[0-9a-f]{64}$/);
});

test('distinguishes where a part ends', () => {
  const part = fc.string({ maxLength: 4 }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(part, part, part, part, (source, key, otherSource, otherKey) => {
      const same = source === otherSource && key === otherKey;
      const equal =
        entityId('linux', 'package', source, key) ===
        entityId('linux', 'package', otherSource, otherKey);
      expect(equal).toBe(same);
    }),
  );
});

test('ignores the case of the name, not of the path, in a process id', () => {
  expect(processId('linux', 'Demo', '/opt/Demo')).toBe(processId('linux', 'demo', '/opt/Demo'));
  expect(processId('linux', 'demo', '/opt/Demo')).not.toBe(processId('linux', 'demo', '/opt/demo'));
});

test('distinguishes platforms in ids', () => {
  expect(processId('linux', 'demo', '/x')).not.toBe(processId('darwin', 'demo', '/x'));
});
