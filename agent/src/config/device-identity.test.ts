// The device id persists over restarts and changes on a clone.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import { loadIdentity } from './device-identity.ts';

const MACHINE = 'a'.repeat(32);

test('keeps its id, and creates another id on another machine', () => {
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

test('keeps its id without a machine id, and records the machine id later', () => {
  const folder = makeFolder();
  const first = loadIdentity(folder, uuid7, null);
  expect(first.machineKnown).toBe(false);
  expect(loadIdentity(folder, uuid7, MACHINE).deviceId).toBe(first.deviceId);
  expect(loadIdentity(folder, uuid7, 'b'.repeat(32)).deviceId).not.toBe(first.deviceId);
});

const DAMAGED = [
  '{"device_id":',
  '',
  '\0\0\0\0',
  '{}',
  '{"device_id":7}',
  '{"device_id":"x"}',
  '[]',
];

test.each(DAMAGED)('keeps its id over a damaged file: %j', (text) => {
  const folder = makeFolder();
  const { deviceId } = loadIdentity(folder, uuid7, MACHINE);
  writeFileSync(join(folder, 'device.json'), text);
  for (let start = 0; start < 2; start += 1) {
    expect(loadIdentity(folder, uuid7, MACHINE)).toMatchObject({ deviceId, made: null });
  }
  writeFileSync(join(folder, 'device.json'), text);
  expect(loadIdentity(folder, uuid7, 'b'.repeat(32)).made).toContain('clone');
});

test('creates an id when both copies are damaged or the file was deleted', () => {
  const folder = makeFolder();
  const { deviceId } = loadIdentity(folder, uuid7, MACHINE);
  rmSync(join(folder, 'device.json'));
  const second = loadIdentity(folder, uuid7, MACHINE);
  expect(second.made).toBe('first start');
  expect(second.deviceId).not.toBe(deviceId);
  for (const name of ['device.json', 'device.json.copy']) writeFileSync(join(folder, name), '{');
  expect(loadIdentity(folder, uuid7, MACHINE).made).toBe('first start');
});

test('starts although its copy can be neither read nor written', () => {
  const folder = makeFolder();
  const { deviceId } = loadIdentity(folder, uuid7, MACHINE);
  rmSync(join(folder, 'device.json.copy'));
  mkdirSync(join(folder, 'device.json.copy'));
  expect(loadIdentity(folder, uuid7, MACHINE)).toMatchObject({ deviceId, made: null });
});

test('copies an id of an older release', () => {
  const folder = makeFolder();
  const { deviceId } = loadIdentity(folder, uuid7, MACHINE);
  rmSync(join(folder, 'device.json.copy'));
  loadIdentity(folder, uuid7, MACHINE);
  writeFileSync(join(folder, 'device.json'), '');
  expect(loadIdentity(folder, uuid7, MACHINE)).toMatchObject({ deviceId, made: null });
});
