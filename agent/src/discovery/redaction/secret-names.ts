// Recognizes names of flags, variables and keys that have a secret as their value. Pure.

/** Also where it is written together with what it is of: `githubtoken`, `pgpassword`. */
const SECRET_ENDING =
  /(tokens?|secrets?|passwords?|passwd|pwd|passphrases?|passcodes?|credentials?|cookies?|(api|auth|access|private|secret|signing|license|account|master|service|shared|ssh|encryption|client|app|admin|user)keys?|(db|user|admin|root|my|sql|app|smtp|mail|login|auth|store|key)pass)$/;
const SECRET_WORD =
  /(^|-)(api-?keys?|keys?|tokens?|secrets?|passwords?|passwd|passw|pwd|psw|pw|pass|passphrase|passwort|kennwort|auth|authorization|bearer|credentials?|creds|cookies?|session|jwt|pat|signature|sig|sas|dsn|webhook|connection-?string|conn-?str|licen[cs]e|pin|otp|totp|psk|tok|sid|seed|salt|hmac|mnemonic|unlock|(access|auth)-code)(-|$)/;

/** Returns whether a flag, variable or key of this name contains a secret. */
export function isSecretName(name: string): boolean {
  // However wide its letters are, and whatever cannot be seen between them.
  const plain = name
    .slice(0, 256)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
  // `apiKey` is two words, `ToKeN` is a single word.
  return [plain.replace(/([a-z0-9])([A-Z])/g, '$1-$2'), plain].some((spelled) => {
    const words = spelled.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
    return SECRET_WORD.test(words) || words.split('-').some((word) => SECRET_ENDING.test(word));
  });
}
