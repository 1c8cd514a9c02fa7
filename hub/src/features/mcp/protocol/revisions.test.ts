import { expect, test } from 'vitest';
import { paramHeaderNames, rejectUnknownParamHeaders } from './revisions.ts';

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

test.each([
  ['a text', 'eu', { region: 'eu' }],
  ['a text deep inside', 'eu', { of: { region: 'eu' } }],
  ['a text in a list', 'eu', { regions: ['us', 'eu'] }],
  ['a number', '1', { n: 1 }],
  ['a number as others write it', '1.0', { n: 1 }],
  ['a truth', 'true', { yes: true }],
  ['another language’s truth', 'False', { yes: false }],
  ['what plain letters cannot carry', base64('zürich '), { city: 'zürich ' }],
  ['nothing at all', base64(''), { city: '' }],
])('accepts a header that repeats %s', (_what, header, sent) => {
  expect(() => rejectUnknownParamHeaders({ 'mcp-param-x': header }, sent)).not.toThrow();
});

test.each([
  ['an unknown value', 'us', { region: 'eu' }],
  ['a name', 'region', { region: 'eu' }],
  ['where there are no arguments', 'eu', undefined],
  ['the word for none, where there are none', 'undefined', undefined],
  ['the word for nothing', 'null', { region: null }],
  ['nothing for a zero', ' ', { n: 0 }],
  ['a part', 'e', { region: 'eu' }],
  ['something hidden', base64('ann@example.com'), { region: 'eu' }],
])('rejects a header with %s', (_what, header, sent) => {
  expect(() => rejectUnknownParamHeaders({ 'mcp-param-x': header }, sent)).toThrow(
    expect.objectContaining({ code: -32020, status: 400 }),
  );
});

test('allows in a preflight only headers that repeat arguments', () => {
  expect(paramHeaderNames(undefined)).toEqual([]);
  expect(
    paramHeaderNames('Mcp-Param-A, authorization,mcp-param-a,mcp-param-,mcp-param-b c'),
  ).toEqual(['mcp-param-a']);
});
