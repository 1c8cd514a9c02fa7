import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const isShown = (sent: string, shown: string) => {
  expect(redact(sent)).toBe(shown);
  expect(redact(shown)).toBe(shown);
};

test.each([
  [
    'with its data before what it is',
    `apiVersion: v1
data:
  foo: c3VwZXJ4
  "tls.crt":   plain words
kind: Secret
metadata:
  name: of-the-shop
  labels:
    app: shop
type: Opaque
`,
    `apiVersion: v1
data:
  foo: [REDACTED]
  "tls.crt":   [REDACTED]
kind: Secret
metadata:
  name: of-the-shop
  labels:
    app: shop
type: Opaque
`,
  ],
  [
    'with text over several lines, a comment and an empty line',
    `Here it is:
\`\`\`yaml
kind: "Secret"  # of the shop
stringData:
    # as it was made
    first: |
      one
        two

      three
    second: four
\`\`\`
data: of no secret`,
    `Here it is:
\`\`\`yaml
kind: "Secret"  # of the shop
stringData:
    # as it was made
    first: |
      [REDACTED]
        [REDACTED]

      [REDACTED]
    second: [REDACTED]
\`\`\`
data: of no secret`,
  ],
  [
    'in a list, beside what is none',
    `apiVersion: v1
items:
- apiVersion: v1
  data:
    url: of-the-shop
  kind: ConfigMap
- apiVersion: v1
  data:
    url: of-the-safe
  kind: Secret
- kind: ConfigMap
  data: {url: of-the-shop}
- kind: Secret
  data: {url: of-the-safe}
kind: List`,
    `apiVersion: v1
items:
- apiVersion: v1
  data:
    url: of-the-shop
  kind: ConfigMap
- apiVersion: v1
  data:
    url: [REDACTED]
  kind: Secret
- kind: ConfigMap
  data: {url: of-the-shop}
- kind: Secret
  data: [REDACTED]
kind: List`,
  ],
  [
    'as one of several documents',
    'kind: ConfigMap\r\ndata:\r\n  a: b\r\n---\r\nkind: Secret\r\ndata:\r\n  a: b\r\n',
    'kind: ConfigMap\r\ndata:\r\n  a: b\r\n---\r\nkind: Secret\r\ndata:\r\n  a: [REDACTED]\r\n',
  ],
  [
    'as lines of JSON that is cut',
    '{"text":"apiVersion: v1\\nkind: Secret\\ndata:\\n  a: b\\ntype: x',
    '{"text":"apiVersion: v1\\nkind: Secret\\ndata:\\n  a: [REDACTED]\\ntype: x',
  ],
])('a Secret of a cluster shows no member: %s', (_how, sent, shown) => isShown(sent, shown));

test.each([
  'kind: SealedSecret\nspec:\n  encryptedData:\n    a: AgBy\ndata:\n  a: b',
  'Make one of kind: Secret\ndata:\n  a: b',
  'kind: SecretStore\ndata:\n  a: b',
  'kind: Secret\nmetadata:\n  name: a\ntype: Opaque',
  'kind: Deployment\nspec:\n  kind: Secret\ndata:\n  a: b',
])('what is none, or holds nothing, stays: %j', (text) => isShown(text, text));

test('redacting twice changes nothing, whatever the lines are', () => {
  const line = fc.constantFrom(
    ...[
      'kind: Secret',
      'data:',
      'stringData: # x',
      '  a: b',
      '    c: |',
      '      d',
      '- kind: Secret',
    ],
    ...[
      '  data:',
      '---',
      '',
      '# e',
      '  - f: g',
      'data: {a: b}',
      '\tx: y',
      '"q": r',
      '```',
      '  kind: Secret',
    ],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const once = redact(lines.join('\n'));
      expect(redact(once)).toBe(once);
    }),
    { numRuns: 3_000 },
  );
});

test.each(['kind: Secret\ndata:\n a: b\n', '- kind: Secret\n', 'kind: Secret\\ndata:\\n'])(
  'a megabyte of %j is redacted as often as one likes',
  (seed) => {
    const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
    expect(redact(once)).toBe(once);
  },
);
