// The operating system of a device in words.
import { expect, test } from 'vitest';
import { osText } from './os-text.ts';

test.each([
  ['darwin', 'macOS 15.1', 'macOS 15.1'],
  ['darwin', '15.1', 'macOS 15.1'],
  ['win32', 'Windows 11 23H2', 'Windows 11 23H2'],
  ['linux', 'Debian 13', 'Linux Debian 13'],
  ['linux', '', 'Linux'],
] as const)('names the system of %s %s once', (platform, os_version, text) => {
  expect(osText({ platform, os_version })).toBe(text);
});
