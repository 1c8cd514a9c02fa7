import { expect, test } from 'vitest';
import { checkAlone } from './checks.ts';

const check = (ip: string) => () => checkAlone({ access: { allowed_source_ips: [ip] } });

test.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::ffff:10.0.0.1'])(
  '%s is an address or a network that a source may have',
  (ip) => {
    expect(check(ip)).not.toThrow();
  },
);

// One reader takes 010 for eight and another for ten: an allow-list must mean the same on every node.
test.each([
  '10.0.0',
  '1',
  '0x7f.1',
  '010.0.0.1',
  '010.0.0.0/8',
  '10.0/16',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '2001:db8::/129',
  'fe80::1%eth0',
  'fe80::%eth0/64',
  ' 10.0.0.1',
  'host.example.com',
])('%s is refused as a source', (ip) => {
  expect(check(ip)).toThrow('/access/allowed_source_ips/0 must be an IP address');
});
