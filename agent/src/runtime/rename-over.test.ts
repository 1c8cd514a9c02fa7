// Files that another program has open are replaced as soon as it closes them.
import { expect, test } from 'vitest';
import { retryWhileInUse } from './rename-over.ts';

const failTimes = (times: number, code: string) => {
  let calls = 0;
  return {
    calls: () => calls,
    change() {
      if (++calls <= times) throw Object.assign(new Error('in use'), { code });
    },
  };
};

test('retries a change on Windows while the file is open elsewhere', () => {
  const change = failTimes(2, 'EPERM');
  retryWhileInUse(change.change, { platform: 'win32' });
  expect(change.calls()).toBe(3);
});

test('retries no other failure, and nothing on other systems', () => {
  const missing = failTimes(1, 'ENOENT');
  expect(() => retryWhileInUse(missing.change, { platform: 'win32' })).toThrow('in use');
  const linux = failTimes(1, 'EPERM');
  expect(() => retryWhileInUse(linux.change, { platform: 'linux' })).toThrow('in use');
  const stuck = failTimes(1e6, 'EBUSY');
  expect(() => retryWhileInUse(stuck.change, { platform: 'win32', patienceMs: 30 })).toThrow();
  expect(stuck.calls()).toBeGreaterThan(1);
});
