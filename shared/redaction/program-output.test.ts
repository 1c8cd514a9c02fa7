// Credentials in program output, protocols, SQL rows, drawn tables and embedded strings are redacted; similar text
// remains.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { redact } from './redact.ts';

const S = 'Zq8vT3nLw0PxR7mK2bYc';
const P = 'kl7#Vb2pQx';
const HEX = '7c9e1f3ab24d58607fe2a1c0d3b4e596';
const CUT = '[REDACTED]';
const KEY = '[REDACTED_API_KEY]';

const CASES: readonly (readonly [text: string, shown: string])[] = [
  [`REDIS_AUTH=${S}`, `REDIS_AUTH=${CUT}`],
  [`GITHUB_PAT=${S}`, `GITHUB_PAT=${CUT}`],
  [`secret_key_base: ${HEX}`, `secret_key_base: ${CUT}`],
  ['pass_phrase=hunter', `pass_phrase=${CUT}`],
  [`az sql server create -u adm -p ${P}`, `az sql server create -u adm -p ${CUT}`],
  [`SET PASSWORD FOR 'a'@'%' = '${P}';`, `SET PASSWORD FOR 'a'@'%' = '${CUT}';`],
  [
    'mysql://app:hunter2x@db/x?mail=joe@example.com',
    `mysql://app:${CUT}@db/x?mail=joe@example.com`,
  ],
  ['mysql://app:hunter2x@db?mail=joe@example.com', `mysql://app:${CUT}@db?mail=joe@example.com`],
  [`Atza|${S}${S}`, KEY],
  [`1000.${HEX}.${HEX}`, KEY],
  [`mongodb://app:a#b1@h:27017`, `mongodb://app:${CUT}@h:27017`],
  [
    '<property name="a.password">hunter</property>',
    `<property name="a.password">${CUT}</property>`,
  ],
  [`setdefault( 'DB_PASSWORD', 'hunter2' )`, `setdefault( 'DB_PASSWORD', '${CUT}' )`],
  [`localStorage.setItem('token', '${S}')`, `localStorage.setItem('token', '${CUT}')`],
  [`primaryKey: ${btoa(S + S)}`, `primaryKey: ${CUT}`],
  [`le mot de passe est ${P}`, `le mot de passe est ${CUT}`],
  [`root password for db01 = ${P}`, `root password for db01 = ${CUT}`],
  ['here is my password: hunterhunter', `here is my password: ${CUT}`],
  [
    `+---+----------+\n| a | password |\n+---+----------+\n| 1 | ${P} |`,
    `+---+----------+\n| a | password |\n+---+----------+\n| 1 | ${CUT} |`,
  ],
  [`mdp : ${P}`, `mdp : ${CUT}`],
  [`name,mot de passe\nann,${P}`, `name,mot de passe\nann,${CUT}`],
  // Escaped strings within a text, complete or truncated.
  ['log {"a":"x\\npassword: hunter\\ny"}', `log {"a":"x\\npassword: ${CUT}\\ny"}`],
  [
    "log {'a': 'x\\npassword: hunter\\ny', 'b': None}",
    `log {'a': 'x\\npassword: ${CUT}\\ny', 'b': None}`,
  ],
  ['log {"a":"x\\npassword: hunter\\ny', `log {"a":"x\\npassword: ${CUT}\\ny`],
  [`config: ${btoa('database:\n  password: hunter\n')}`, `config: ${CUT}`],
];

test.each(CASES)('redacts %s', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test('redacts members that are a credential only together', () => {
  const cookie = { name: 'theme', value: S, domain: '.a.c', path: '/' };
  expect(redact(cookie)).toEqual({ ...cookie, value: CUT });
  expect(redact({ keyName: 'key1', value: btoa(S + S) })).toEqual({ keyName: 'key1', value: CUT });
  expect(redact({ key1: HEX, key2: HEX })).toEqual({ key1: CUT, key2: CUT });
  expect(redact({ key: 'token', value: S })).toEqual({ key: 'token', value: CUT });
  expect(redact({ key: 'token', value: 'a word' })).toEqual({ key: 'token', value: 'a word' });
  const greeting = { keyName: 'greeting', value: 'Hello there, 42!' };
  expect(redact(greeting)).toBe(greeting);
});

test.each([
  'SMTP_AUTH=true',
  'GOOGLE_APPLICATION_CREDENTIALS=C:\\keys\\svc-2024.json',
  'docker run -u 1000 -p 8080:80 nginx',
  '{Password:required Name:x}',
  'f("token", id)',
  'http://localhost:3000/a?x=a@b.c',
  'http://host:8080#x@y',
  'primary_key=True',
  'My password: forgotten',
  'le mot de passe est 8 caractères minimum',
  'print("a: b")',
  'log {"a":"it is 12:30, see \\"x\\""}',
  `base64 of a script: ${btoa('#!/bin/bash\necho hello world\n')}`,
])('keeps %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('redacts combined texts idempotently', () => {
  const parts = [...CASES.map(([text]) => text), ...'"\'\\ \n,:={}'.split(''), 'log {"a":"', '\\n'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 6 }), (several) => {
      const once = redact(several.join(''));
      expect(redact(once)).toBe(once);
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

const HOSTILE = [
  ...['"a: b c d",', '{"a": "x\\n', "'a\\n", "insert into a (password) values ('abcde'", '-- --\n'],
  ...['_AUTH=a', '-u a -p a1', 'Unseal Key 1: ', 'WIFI:A:a;'],
  ...['define("KEY", "', 'mot de passe a a est a1', 'password = <<A\n', 'Password:a '],
];

test.each(HOSTILE)('redacts a megabyte of %j in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});
