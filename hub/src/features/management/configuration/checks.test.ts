import { expect, test } from 'vitest';
import { checkAlone } from './checks.ts';

const check = (ip: string) => () => checkAlone({ access: { allowed_source_ips: [ip] } });

test.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::ffff:10.0.0.1'])(
  'accepts %s as a source address or network',
  (ip) => {
    expect(check(ip)).not.toThrow();
  },
);

// Parsers read 010 as eight or as ten: an allow-list must mean the same on every node.
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
])('rejects %s as a source', (ip) => {
  expect(check(ip)).toThrow('/access/allowed_source_ips/0 must be an IP address');
});

const weigh =
  (...weights: number[]) =>
  () => {
    const models = weights.map((weight) => ({ provider_name: 'p', model_name: 'm', weight }));
    checkAlone({ routing: { routing_groups: [{ group_name: 'g', models }] } });
  };

test.each([
  [[100]],
  [[33.33, 33.33, 33.33]],
  [[33.34, 33.33, 33.34]],
  [[14.29, 14.29, 14.29, 14.29, 14.28, 14.28, 14.28]],
  [[0.1, 0.2, 99.7]],
])('accepts %j as weights of a whole', (weights) => {
  expect(weigh(...weights)).not.toThrow();
});

test.each([[[33.3, 33.3, 33.3]], [[50, 50.02]], [[99.98]]])(
  'rejects %j as weights of a whole',
  (weights) => {
    expect(weigh(...weights)).toThrow('must have weights that sum to 100');
  },
);
