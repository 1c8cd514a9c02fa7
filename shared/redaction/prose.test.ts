// Quoted values of several words, and credentials in conversations, are redacted.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

test.each([
  'run --password "marlifish orange" now',
  "run --password 'marlifish orange' now",
  'run --password="marlifish orange" now',
  'run --password "marli\'fish orange" now',
  'run --password "marli\\"fish orange" now',
  'log {"cmd": "run --password \\"marlifish orange\\" now"} x',
  '{"cmd": "run --password \\"marlifish orange\\" now',
  '"{\\"cmd\\": \\"run --password \\\\\\"marlifish orange\\\\\\" now\\"}" x',
  'curl -u "bob:marlifish orange" https://h',
  'mysql -u root -p"marlifish orange" db',
  'sshpass -p "marlifish orange" ssh a@b',
  'docker login -u bob -p "marlifish orange" r',
  'echo "marlifish orange" | sudo -S ls',
  'echo "marlifish orange" | docker login --password-stdin',
  'openssl enc -aes-256-cbc -k "marlifish orange" -in a',
  'openssl rsa -passin "pass:marlifish orange"',
  'New-User -Name a -Password "marlifish orange"',
  'keytool -storepass "marlifish orange" -list',
  'vault kv put secret/a pw="marlifish orange"',
  'kubectl create secret generic a --from-literal=x="marlifish orange"',
  ['run', '--password', 'marlifish orange', 'now'],
  ['run', '--password=marlifish orange', 'now'],
  "CREATE USER u IDENTIFIED BY 'marlifish orange'",
  '<password>marlifish orange</password>',
  'His passphrase is "marlifish battery orange"',
])('redacts a value of several words completely: %j', (sent) => {
  const shown = redact(sent);
  expect(JSON.stringify(shown)).not.toMatch(/marli|orange/);
  expect(JSON.stringify(shown)).toContain('[REDACTED]');
  expect(redact(shown)).toEqual(shown);
});

test.each([
  ...['my password is marlifish', 'The password is marlifish.', 'password is: marlifish'],
  ...['Das Kennwort ist Marlif1sch', 'Kennwort lautet Marlif1sch', 'mein Passwort ist marlifisch'],
  ...['psk is marlifish99', 'PSK: marlifish99', 'Password [x]: Marlifish1'],
  ...['log in as ann with password marlifish9!'],
  ...['password changed from M4rlifish&3x to N3wMarlifish!', 'auth: marliQ7x9vT2mZ4pL8wN1rB6kD'],
  'AWS secret is marli7Kq9vT2mZ4pL8wN1rB6x7Kq9vT2mZ4pL8wN',
  'the bootstrap token marlif.0123456789abcdef joins',
  'https://h/x?session=marli9vT2mZ4pL8wN1rB6',
])('redacts a credential in a sentence: %s', (sent) => {
  const shown = redact(sent) as string;
  expect(shown).not.toMatch(/m[a4]rli|0123456789abcdef/i);
  expect(redact(shown)).toBe(shown);
});

test.each([
  ...['The password is required.', 'the password is wrong, try again', 'my password is expired'],
  ...['my password is not working', 'the password is hashed with bcrypt', 'your password is weak.'],
  ...['the password is something you know', 'Das Passwort ist falsch.', 'The secret is to go on'],
  ...['Das Kennwort ist abgelaufen', 'password is visible to anyone.'],
  ...['The password is "required" here', 'psk: SomeTypeOfLibrary', '| Jira | ann / bob |'],
  ...[
    'The password is mandatory.',
    'the password is "too short"',
    'use --password to set it, please',
  ],
  ...[
    'it shows the password is "must be longer"',
    'Das Passwort ist vergessen',
    'password is numeric',
  ],
  `in base64 ${'A'.repeat(28)}${'Ab1'.repeat(25)} is nothing`,
  ...['use the --password option to set it', '--password "$PASSWORD"', 'root:x:0:0:root:/root'],
  ...['image: root:latest', 'admin: please', 'echo "hello world" | wc -l', 'auth: required'],
  ...['He said "use -p 5432 here" and left', 'a "-p" flag and "more words" here', 'auth = true'],
  ...['password = hashed_password', 'set PASSWORD by hand', 'label = password("Your password")'],
])('keeps prose, code and placeholders: %s', (text) => {
  expect(redact(text)).toBe(text);
});
