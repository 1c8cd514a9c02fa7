// Rare formats of credentials are redacted, and similar text remains.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';
import { REDACTED } from './rule.ts';

const BODY = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6';
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';

test.each([
  [`with pk_${'live'}_${BODY}.`, 'with [REDACTED_API_KEY].'],
  [`phc_${BODY}`, '[REDACTED_API_KEY]'],
  [`of AC${HEX}, SK${HEX}`, 'of [REDACTED_API_KEY], [REDACTED_API_KEY]'],
  [`vault login s.${BODY.slice(0, 24)}`, 'vault login [REDACTED_API_KEY]'],
  ['set password Hunter2x', 'set password [REDACTED]'],
  ['SET PASSWORD hunter2x;', 'SET PASSWORD [REDACTED];'],
  ['please set the root password to "hunter2x"', 'please set the root password to "[REDACTED]"'],
  ['set my new password to: hunter2!', 'set my new password to: [REDACTED]'],
  ['reset the password to hunter2x', 'reset the password to [REDACTED]'],
  ['Authorization%3A%20Bearer%20abc123def&x', 'Authorization%3A%20Bearer [REDACTED]&x'],
])('redacts %s', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  // Words after a vendor's prefix are a name.
  'xai-image-tools-server-core',
  'hf_transfer_bench_suite_tools_2',
  'gsk_agent_server_tools_for_teams',
  'sk-learn-server-tools-2026',
  'xoxb-message-reader',
  'npx -y task-master-ai network_server.py pypi-query-mcp-server key-value-store-mcp',
  `MAC${HEX} AC${HEX}0`,
  `it is.${BODY.slice(0, 24)}`,
  `s.${BODY.slice(0, 24)}()`,
  's.abcdefghijklmnopqrstuvwx',
  's.convertAllOfTheRows2Texts',
  'set a password of 12 letters',
  'set password policies, then 2 more',
  'set your password to something long',
  'reset password 123456',
  'bearer+authentication',
  'About your "password"\n\nIt is long.',
])('keeps %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('redacts members in pairs, form fields and raw headers', () => {
  const shown = {
    pairs: [
      ['X-Api-Key', REDACTED],
      ['Accept', 'json'],
    ],
    form: { field: 'password', value: REDACTED },
    required: ['password', 'name'],
    rawHeaders: '[REDACTED_HEADERS]',
  };
  const sent = {
    pairs: [
      ['X-Api-Key', 'abc'],
      ['Accept', 'json'],
    ],
    form: { field: 'password', value: 'abc' },
    required: ['password', 'name'],
    rawHeaders: ['X-Api-Key', 'abc'],
  };
  expect(redact(sent)).toEqual(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  'set password a1b2c3-',
  'set the your ',
  's.A1b2C3d4E5f6G7h8I9j0K1l2',
  'Bearer+',
  // Each excluded value begins text that could be read to the end.
  ...['password=a.b(', 'password:self.x-', 'secret=xxxx&', 'api_key:your-key:', 'password=self.a'],
])('redacts a megabyte of %s in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});
