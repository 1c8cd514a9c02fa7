import { describe, expect, it } from 'vitest';
import { checkCaller, checkConversationId, checkSourceAddress } from './access.ts';
import type { AccessSettings } from './settings.ts';
import type { CallerIdentity } from './types.ts';

describe('source address', () => {
  const NETWORK = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7', '::ffff:198.51.100.0/120'];

  it.each<[string, AccessSettings['allowed_source_ips'], string, boolean]>([
    ['allows every address without the setting', undefined, '203.0.113.1', true],
    ['allows every address for null', null, '203.0.113.1', true],
    ['allows every address for an empty list', [], '203.0.113.1', true],
    ['allows an address in an IPv4 network', NETWORK, '10.255.0.1', true],
    ['allows a single address', NETWORK, '192.0.2.7', true],
    ['allows an address in an IPv6 network', NETWORK, '2001:db8:1::5', true],
    ['allows an IPv4 address in IPv6 notation', NETWORK, '::ffff:10.1.2.3', true],
    ['allows an address in a mapped network', NETWORK, '198.51.100.9', true],
    ['refuses an address in no network', NETWORK, '11.0.0.1', false],
    ['refuses the neighbor of a single address', NETWORK, '192.0.2.8', false],
    ['refuses an IPv6 address in no network', NETWORK, '2001:db9::1', false],
    ['refuses a text that is no address', NETWORK, 'unknown', false],
    [
      'allows every address for a disabled object',
      { enabled: false, ips: NETWORK },
      '11.0.0.1',
      true,
    ],
    ['refuses by an enabled object', { enabled: true, ips: NETWORK }, '11.0.0.1', false],
    ['refuses by an object without a switch', { ips: NETWORK }, '11.0.0.1', false],
    ['refuses all by an enabled object without addresses', { enabled: true }, '10.0.0.1', false],
  ])('%s', (_claim, allowed_source_ips, address, passed) => {
    const verdict = checkSourceAddress({ allowed_source_ips } as AccessSettings, address);
    expect(verdict.passed).toBe(passed);
    if (!verdict.passed)
      expect(verdict).toMatchObject({ status: 403, code: 'source_address_denied' });
  });
});

describe('caller', () => {
  const NOBODY: CallerIdentity = { email: null, subject: null, smartGroups: [], source: 'none' };
  const ANN = { ...NOBODY, email: 'Ann@Example.com', source: 'header' as const };
  const SERVICE = { ...NOBODY, subject: 'object-1', source: 'jwt' as const };
  const REQUIRED = { enforce_identity: true };

  it.each<[string, AccessSettings, CallerIdentity, string | null]>([
    ['passes nobody without settings', {}, NOBODY, null],
    ['refuses nobody by enforce_identity', REQUIRED, NOBODY, 'identity_required'],
    ['passes a subject by enforce_identity', REQUIRED, SERVICE, null],
    ['passes an e-mail in any case', { allowed_user_emails: ['ann@example.com'] }, ANN, null],
    [
      'refuses other e-mails',
      { allowed_user_emails: ['bob@example.com'] },
      ANN,
      'user_not_allowed',
    ],
    ['passes a domain', { allowed_user_domains: ['EXAMPLE.com'] }, ANN, null],
    ['passes a domain with @', { allowed_user_domains: ['@example.com'] }, ANN, null],
    ['refuses a parent domain', { allowed_user_domains: ['com'] }, ANN, 'user_not_allowed'],
    [
      'refuses a subject for a domain',
      { allowed_user_domains: ['a.b'] },
      SERVICE,
      'user_not_allowed',
    ],
    ['refuses nobody for a domain', { allowed_user_domains: ['a.b'] }, NOBODY, 'identity_required'],
    [
      'passes an e-mail outside of the domains',
      { allowed_user_domains: ['a.b'], allowed_user_emails: ['ann@example.com'] },
      ANN,
      null,
    ],
  ])('%s', (_claim, access, caller, code) => {
    const verdict = checkCaller(access, caller);
    expect(verdict.passed ? null : verdict.code).toBe(code);
  });
});

describe('conversation id', () => {
  it.each<[string, boolean | undefined, string | undefined, boolean]>([
    ['passes without the setting', undefined, undefined, true],
    ['refuses a request without the header', true, undefined, false],
    ['refuses a blank header', true, '  ', false],
    ['passes with the header', true, 'c-1', true],
  ])('%s', (_claim, enforce_conversation_id, value, passed) => {
    const headers = value === undefined ? {} : { 'x-conversation-id': value };
    const verdict = checkConversationId({ enforce_conversation_id } as AccessSettings, { headers });
    expect(verdict.passed).toBe(passed);
  });
});
