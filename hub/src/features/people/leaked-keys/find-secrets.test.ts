// Leaked secrets are detected in whole texts and in chunks.
import { makeSecret, SECRET_PREFIXES, type SecretKind } from '@gatewarden/shared/secrets.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findSecrets, findSecretsInStream } from './find-secrets.ts';

const KINDS = Object.keys(SECRET_PREFIXES) as SecretKind[];

it('finds each kind anywhere, once, at its first line', () => {
  const all = KINDS.map((kind) => ({ kind, secret: makeSecret(kind) }));
  const text = all.map(({ secret }) => `x=${secret};"${secret}"`).join('\n\n');
  expect(findSecrets(text)).toEqual(all.map((secret, i) => ({ ...secret, line: 1 + 2 * i })));
});

it('finds a secret beside letters or with an escaped underscore', () => {
  const secret = makeSecret('management');
  for (const text of [
    `key${secret}0`,
    secret.replace('_', '\\_'),
    `gwk_${'A'.repeat(43)}${secret}`,
    `?key=${secret.replace('_', '%5F')}&b`,
  ]) {
    expect(findSecrets(text), text).toEqual([{ kind: 'management', secret, line: 1 }]);
  }
});

it('ignores a wrong checksum and foreign prefixes', () => {
  const secret = makeSecret('agent');
  const other = secret.endsWith('0') ? '1' : '0';
  expect(
    findSecrets(`${secret.slice(0, -1)}${other} gwz_${secret.slice(4)} ${secret.slice(0, 49)}`),
  ).toEqual([]);
});

it('finds the same secrets in chunks of any size', async () => {
  const line = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(...KINDS).map((kind) => makeSecret(kind)),
    fc.constantFrom('gwm_', 'gwa_0123'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom('\n', ' ', '', '\r\n'),
      fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 }),
      async (lines, between, sizes) => {
        const text = lines.join(between);
        async function* pieces() {
          for (let at = 0, i = 0; at < text.length; i++) {
            const size = sizes[i % sizes.length] ?? 1;
            yield text.slice(at, at + size);
            at += size;
          }
        }
        expect(await findSecretsInStream(pieces())).toEqual(findSecrets(text));
      },
    ),
  );
});
