import { expect, test } from 'vitest';
import { redact } from './redact.ts';

test.each([
  ...['Password: marlifish', 'The password: marlifish', 'hello bob\nPassword: marlifish\nbye'],
  ...[
    '- Passwort: marlifisch',
    'Kennwort: marlifisch  ',
    'Contrase\u00f1a: marlifa',
    'Senha: marlif',
  ],
  ...[
    'Mot de passe : marlifi',
    'Wifi password: marlifish\r\n',
    'log "a\\nPassword: marlifish\\nb"',
    'log "a\\r\\nPassword: marlifish\\r\\nb"',
  ],
  ...['Passphrase: marlifish horse battery staple', 'passphrase: marli-horse-battery-staple-nine'],
  'My passphrase: correct marlifish battery staple',
])('redacts a plain word after a password label: %j', (sent) => {
  const shown = redact(sent) as string;
  expect(shown).not.toMatch(/marlif|horse|staple/);
  expect(shown).toContain('[REDACTED]');
  expect(redact(shown)).toBe(shown);
});

test.each([
  ...[
    'Password: required',
    'Password: change',
    'Passwort: vergessen',
    'Kennwort: zur\u00fccksetzen',
  ],
  ...['Password: must be at least eight', 'Password: see the wiki', 'Password: protected'],
  ...['Password: bcrypt', 'Password: string', 'Password: ok', 'the password: it is lost'],
  ...['Passphrase: must be longer than eight words', 'Passphrase: the words that you wrote down'],
  ...['Passphrase: choose four words at random', 'Mot de passe : requis', 'Password: forgot'],
  ...['Password: true', 'Password: false', 'mot de passe: xxxx', 'Password: strength'],
  ...['Password: secure', 'Password: unchanged', 'Password: Marketing', 'a Password: marlifish'],
])('keeps text of a form or a message: %j', (sent) => {
  expect(redact(sent)).toBe(sent);
});

test.each(['Password: aaaa\n', 'Passphrase: aaa aaa aaa', 'password: ', 'Password:    '])(
  'redacts a megabyte of %j in linear time',
  (seed) => {
    const shown = redact(seed.repeat(1_000_000 / seed.length)) as string;
    expect(redact(shown)).toBe(shown);
  },
);
