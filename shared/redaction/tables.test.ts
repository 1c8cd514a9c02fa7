// Credential columns of tables are redacted; other tables remain.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const S = 'Zq8vT3nLw0PxR7mK2bYc';

test.each([
  [
    'username,password\nbob,swordfish\nann,"hunter2x"\n\nbob,fish',
    'username,password\nbob,[REDACTED]\nann,"[REDACTED]"\n\nbob,fish',
  ],
  [
    'name;password;mail\r\nbob;hunter2x;b@x.example\r\n',
    'name;password;mail\r\nbob;[REDACTED];b@x.example\r\n',
  ],
  [`id,api_key\n1,${S}`, 'id,api_key\n1,[REDACTED]'],
  ['"user","db_password"\n"bob","swordfish"', '"user","db_password"\n"bob","[REDACTED]"'],
  ['user\tpwd\nbob\tswordfish', 'user\tpwd\nbob\t[REDACTED]'],
  [
    '| user | password |\n|---|---|\n| bob | hunter2x |\n| ann | plain |\n\ntext',
    '| user | password |\n|---|---|\n| bob | [REDACTED] |\n| ann | plain |\n\ntext',
  ],
])('redacts %j', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  'username,password\n',
  'user,password\nbob,true\nann,required',
  'name,token_count\na,100',
  'user,password_hash_algorithm\nbob,bcrypt',
  'id,secret_name\n1,main-db',
  '| Option | Password | Notes |\n|---|---|---|\n| min length | 12 | digits |',
  '| Option | Password |\n|---|---|\n| a | varchar2(50) |',
  'Enter your name, password, and mail.\nThen, press, enter',
  'a,password\nonly one cell here',
])('keeps %j', (text) => {
  expect(redact(text)).toBe(text);
});

/** The ruler ends in a letter: a pattern that is tried at each dash takes a minute. */
const RULER = `| user | password |\n|${'-'.repeat(9_000)}x\n`;

test.each([RULER, 'password,', 'password,b\n', 'a,b,c,password\n', '| password | a1b2c3\n'])(
  'redacts a megabyte of %j in linear time',
  (seed) => {
    const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
    expect(redact(once)).toBe(once);
  },
);
