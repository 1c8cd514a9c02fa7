// Secrets found in texts, whole and in pieces.
import { makeSecret, SECRET_PREFIXES, type SecretKind } from '@gatewarden/shared/secrets.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { secretsIn, secretsInStream } from './rules.ts';

const KINDS = Object.keys(SECRET_PREFIXES) as SecretKind[];

it('finds each kind wherever it stands, once, at its first line', () => {
  const all = KINDS.map((kind) => ({ kind, secret: makeSecret(kind) }));
  const text = all.map(({ secret }) => `x=${secret};"${secret}"`).join('\n\n');
  expect(secretsIn(text)).toEqual(all.map((one, i) => ({ ...one, line: 1 + 2 * i })));
});

it('knows one that is glued to letters, or whose underscore was escaped', () => {
  const secret = makeSecret('management');
  for (const text of [
    `key${secret}0`,
    secret.replace('_', '\\_'),
    `gwk_${'A'.repeat(43)}${secret}`,
    `?key=${secret.replace('_', '%5F')}&b`,
  ]) {
    expect(secretsIn(text), text).toEqual([{ kind: 'management', secret, line: 1 }]);
  }
});

it('takes nothing whose checksum is wrong, nor a prefix that is none of ours', () => {
  const secret = makeSecret('agent');
  const other = secret.endsWith('0') ? '1' : '0';
  expect(
    secretsIn(`${secret.slice(0, -1)}${other} gwz_${secret.slice(4)} ${secret.slice(0, 49)}`),
  ).toEqual([]);
});

it('finds the same in pieces of any size', async () => {
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
        expect(await secretsInStream(pieces())).toEqual(secretsIn(text));
      },
    ),
  );
});
