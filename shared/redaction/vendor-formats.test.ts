// Formats of vendor keys and headers are redacted.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const letters = (n: number) => 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz'.repeat(8).slice(0, n);
const small = (n: number) => letters(n).toLowerCase();
const capital = (n: number) => letters(n).toUpperCase();
const hex = (n: number) => '0a1b2c3d4e5f60718293a4b5c6d7e8f9'.repeat(8).slice(0, n);
const UUID = '9f86d081-884c-4d65-9a2f-eaa0c55ad015';
const BODY = 'x7Kq9vT2mZ4pL8wN1rB6';

test.each([
  ['glwt-', letters(20)],
  ['glpat-', `${letters(27)}.0w.${small(9)}`],
  ...['xoxc-', 'xoxd-', 'xwfp-', 'sess-', 'api_org_', 'cio'].map((start) => [start, letters(32)]),
  ['', `${letters(86)}==`],
  ['', `${hex(32)}-${hex(8)}-${hex(8)}`],
  ...['dkea', 'dose', 'cr-'].map((start) => [start, hex(32)]),
  ...['dp.scim.', 'dp.audit.', 'lin_wh_', 'figu_', 'figo_', 'figr_'].map((at) => [at, letters(43)]),
  ['AGE-SECRET-KEY-PQ-1', capital(58)],
  ['', `${hex(36)}NRAL`],
  ...['NRJS-', 'NRIQ-', 'ddapp_', 'ddpat_', 'mdb_sa_sk_'].map((start) => [start, letters(40)]),
  ...['tmprl_', 'nyk_v0_', 'polar_oat_', 'lsk_', 'unkey_'].map((start) => [start, letters(40)]),
  ...['retool_', 'tr_prod_', 'secret-live-', 'dnkey-'].map((start) => [start, letters(60)]),
  ...['rootly_', 'crsr_', 'signkey-prod-'].map((start) => [start, hex(64)]),
  ['PMAT-', capital(26)],
  ['api-', UUID],
  ['IGQV', letters(140)],
  ['AAAAAAAAAAAAAAAAAAAAA', letters(80)],
  ['rzp_live_', letters(14)],
  ['CCDB1_', `${letters(22)}_${letters(40)}`],
  ['4b1d', letters(38)],
  ['dG9rOj', `${letters(48)}=`],
  ['sl.', letters(135)],
  ['00', letters(40)],
  ['prod:happy-animal-123|', letters(60)],
  [`_|WARNING:-DO-NOT-SHARE-THIS.--${'it-is-a-secret'}.|_`, hex(200)],
  [`https://mcp.zapier.com/api/mcp/s/`, letters(60)],
  ['https://hook.eu1.make.com/', small(32)],
  ['https://x.app.n8n.cloud/webhook/', UUID],
])('redacts a key that begins with %j, in prose and in JSON', (start, body) => {
  for (const text of [`used ${start}${body} today`, `{"a": "${start}${body}", cut`]) {
    const shown = redact(text) as string;
    expect(shown).not.toContain(body.slice(-12));
    expect(shown).toContain('[REDACTED');
    expect(redact(shown)).toBe(shown);
  }
});

test.each([
  ...['X-Hub-Signature', 'X-Hub-Signature-256', 'X-Slack-Signature', 'X-Signature', 'X-Auth'],
  ...['Stripe-Signature', 'X-HubSpot-Signature-v3', 'X-Session-Id', 'X-Cookie', 'X-Sentry-Auth'],
  ...['X-Figma-Token', 'X-Plex-Token', 'X-Token', 'X-Postmark-Server-Token', 'JOB-TOKEN'],
  ...['X-Master-Key', 'X-License-Key', 'X-Insert-Key', 'X-Jfrog-Art-Api', 'X-Honeycomb-Team'],
  ...['x-goog-iap-jwt-assertion', 'x-amzn-oidc-data', 'Proxy-Authorization', 'X-Api-Key'],
])('redacts the header %s in every log format', (name) => {
  const shown = redact([
    `${name}: ${BODY}`,
    { [name]: BODY },
    [{ name, value: BODY }],
    [{ Key: name, Value: BODY }],
    [{ header: name, value: BODY }],
    [{ name, values: [BODY] }],
    [[name, BODY]],
    `{"${name}": ["${BODY}"]} cut`,
    `log: [{"name":"${name}","value":"${BODY}"}]`,
    `log: [["${name}","${BODY}"]]`,
  ]);
  expect(JSON.stringify(shown)).not.toContain(BODY);
  expect(redact(shown)).toEqual(shown);
});

test.each([
  [['Accept', '*/*', 'X-Request-Id', 'abc123']],
  [['authorization', 'cookie']],
  [['password', 'email']],
  [{ key: 'primary_key', value: 'id' }],
  [{ name: 'city', values: ['Paris', 'Rome'] }],
  [{ 'x-next-page-token': 'page2', 'x-max-tokens': '5', token: 'hello', auth: 'oauth' }],
  [`sha512-${letters(86)}==`],
  ['app.0123456789abcdef.js main.0a1b2c3d4e5f6071.css'],
  ['secret-live-stream-of-the-event-is-here-now, session-manager, sess-1, api-gateway-prod'],
  [
    'chatcmpl-9abcDEFghiJKLmnoPQRstuVWxyz12 msg_01XFDUDYJgAACzvnptvVoYEL 01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ],
  [`00-${hex(32)}-${hex(16)}-01`],
  [`GET /v1/users?page=2&key=name&session=morning&session_id=${UUID}`],
  ['signature-based detection; the X-Auth header is needed; Signature: John Smith'],
  [{ max_tokens: 100, prompt_tokens: 12, tokens_used: 9, model: 'claude-sonnet-4-5-20250929' }],
])('keeps similar text: %j', (value) => {
  expect(redact(value)).toEqual(value);
});

test.each([
  ...[`${'A'.repeat(16)}b%`, `${'A'.repeat(20)}b1c%%20`, `00${'aB1'.repeat(13)}-`],
  ...[`00${'aB1'.repeat(13)}_`, 'abc123.0123456789abcdef.'],
  '0123456789abcdef0123456789abcdef-01234567-01234567-',
])('redacts a long row of %s idempotently', (token) => {
  const shown = redact(token.repeat(40));
  expect(redact(shown)).toBe(shown);
});
