// The node calls public addresses by https only, and networks that its operator allows.

import type { Network } from '@gatewarden/shared/address-rules.ts';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { findRefusal } from './address-rules.ts';
import { createUpstreamClient, UpstreamFailure } from './client.ts';

const LOOPBACK = [ipaddr.parseCIDR('127.0.0.0/8')] as Network[];

it.each([
  ['93.184.215.14', 'https:', null],
  ['93.184.215.14', 'http:', 'http_not_private'],
  ['127.0.0.1', 'https:', 'not_public'],
  ['169.254.169.254', 'http:', 'not_public'],
  ['::ffff:10.0.0.1', 'https:', 'not_public'],
  ['64:ff9b::7f00:1', 'https:', 'not_public'],
  ['fd00::1', 'https:', 'not_public'],
  ['93.184.215.14', 'ftp:', 'scheme'],
])('decides about %s by %s: %s', (address, protocol, refusal) => {
  expect(findRefusal(address, protocol, [])).toBe(refusal);
});

it('allows a private network of the operator, also by http', () => {
  expect(findRefusal('127.0.0.1', 'http:', LOOPBACK)).toBe(null);
  expect(findRefusal('10.0.0.1', 'http:', LOOPBACK)).toBe('not_public');
});

describe('client', () => {
  const send = (url: string, isOperatorAddress = false) => {
    const client = createUpstreamClient([]);
    const request = { method: 'POST', url, headers: {}, body: null, isOperatorAddress };
    const options = { signal: AbortSignal.timeout(5_000), timeoutMs: 5_000 };
    return client.send(request, options).finally(() => client.close());
  };

  it.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'https://[::1]:1/',
    'http://2130706433:1/',
  ])('refuses %s before it connects', async (url) => {
    await expect(send(url)).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('calls an address that the operator named', async () => {
    const failure = await send('http://127.0.0.1:1/', true).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UpstreamFailure);
    expect(failure).toMatchObject({ code: 'connection_failed' });
  });
});
