import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { clientAddressOf, isInNetworks, isLoopbackAddress, sourceKeyOf } from './client-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:bbbb::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['not an address', 'unknown'],
])('counts %s as source %s', (address, source) => {
  expect(sourceKeyOf(address)).toBe(source);
});

const requestFrom = (ip: string, remoteAddress: string) =>
  ({ ip, raw: { socket: { remoteAddress } } }) as never;

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['unknown', '10.0.0.1'],
  ['<script>', '10.0.0.1'],
])('reads the forwarded address %s as %s', (forwarded, address) => {
  expect(clientAddressOf(requestFrom(forwarded, '10.0.0.1'))).toBe(address);
});

test('matches networks of both families and IPv4-mapped addresses', () => {
  const networks = [ipaddr.parseCIDR('10.0.0.0/8'), ipaddr.parseCIDR('2001:db8::/32')];
  expect(isInNetworks('10.1.2.3', networks)).toBe(true);
  expect(isInNetworks('::ffff:10.1.2.3', networks)).toBe(true);
  expect(isInNetworks('2001:db8::9', networks)).toBe(true);
  expect(isInNetworks('192.0.2.1', networks)).toBe(false);
  expect(isInNetworks('garbage', networks)).toBe(false);
});

test('recognizes loopback addresses only', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    expect(isLoopbackAddress(address)).toBe(true);
  }
  for (const address of ['10.0.0.1', '::', '0.0.0.0', 'localhost']) {
    expect(isLoopbackAddress(address)).toBe(false);
  }
});
