// The device id stays over restarts and changes on a clone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { uuid7 } from '../uuid7.ts';
import { loadIdentity } from './identity.ts';

const MACHINE = 'a'.repeat(32);

test('keeps its id, and makes another on another machine', () => {
  const folder = makeFolder();
  const first = loadIdentity(folder, uuid7, MACHINE);
  expect(first.made).toBe('first start');
  expect(loadIdentity(folder, uuid7, MACHINE)).toMatchObject({
    deviceId: first.deviceId,
    made: null,
  });
  const clone = loadIdentity(folder, uuid7, 'b'.repeat(32));
  expect(clone.made).toContain('clone');
  expect(clone.deviceId).not.toBe(first.deviceId);
});

test('keeps its id where the machine tells none, and learns the machine later', () => {
  const folder = makeFolder();
  const first = loadIdentity(folder, uuid7, null);
  expect(first.machineKnown).toBe(false);
  expect(loadIdentity(folder, uuid7, MACHINE).deviceId).toBe(first.deviceId);
  expect(loadIdentity(folder, uuid7, 'b'.repeat(32)).deviceId).not.toBe(first.deviceId);
});

test('starts anew over a damaged file', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'device.json'), '{"device_id":');
  expect(loadIdentity(folder, uuid7, MACHINE).made).toBe('first start');
});
