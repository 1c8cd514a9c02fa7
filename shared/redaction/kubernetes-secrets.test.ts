import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
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
type: Opaque`,
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
type: Opaque`,
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
- kind: Secret
  data: [REDACTED]
kind: List`,
  ],
  [
    'among several documents',
    'kind: ConfigMap\r\ndata:\r\n  a: b\r\n---\r\nkind: Secret\r\ndata:\r\n  a: b\r\n',
    'kind: ConfigMap\r\ndata:\r\n  a: b\r\n---\r\nkind: Secret\r\ndata:\r\n  a: [REDACTED]\r\n',
  ],
  [
    'as lines of JSON that is cut',
    '{"text":"apiVersion: v1\\nkind: Secret\\ndata:\\n  a: b\\ntype: x',
    '{"text":"apiVersion: v1\\nkind: Secret\\ndata:\\n  a: [REDACTED]\\ntype: x',
  ],
])('redacts every member of a Kubernetes Secret: %s', (_how, sent, shown) => isShown(sent, shown));

const MANIFEST = 'apiVersion: v1\nkind: Secret\ndata:\n  foo: c3Vw\ntype: Opaque';
const SHOWN = MANIFEST.replace('c3Vw', '[REDACTED]');
const inEach = (change: (text: string) => string) => [change(MANIFEST), change(SHOWN)] as const;
const instead = (part: string, other: string) => inEach((text) => text.replace(part, other));
const behind = (mark: string) => inEach((text) => text.replaceAll(/^/gm, mark));

test.each([
  ...[' &a', ' !!map', ' !!map &a # of the shop', ' # of the shop'].map((rest) =>
    instead('data:', `data:${rest}`),
  ),
  ...['"data"', "'stringData'", 'data '].map((name) => instead('data', name)),
  ...['\'kind\': "Secret"', 'kind: !!str Secret', 'kind: &k Secret # x'].map((kind) =>
    instead('kind: Secret', kind),
  ),
  ...['> ', '> > ', '12: ', '  12→', '  12\t', '12 | '].map(behind),
  inEach((text) => `as sent:\n{"m":"${text.replaceAll('\n', '\\n')}","n":1}\nend`),
  inEach((text) => `m: >\n  ${text.replaceAll('\n', '\n\n  ')}\nn: 1`),
  inEach((text) => `as sent: {"m":"${text.slice(15).replaceAll('\n', '\\r\\n')}`),
])('redacts every member of a Kubernetes Secret in any syntax: %j', isShown);

test.each([
  ['data: {\n  a: b,\n  c: "}"\n}\n', 'data: [REDACTED]\n'],
  ['data: {a: b,\n  c: d}\n', 'data: [REDACTED]\n'],
  ['data: *a\n', 'data: [REDACTED]\n'],
  ['data:\n  a: !!binary |\n    b\n', 'data:\n  a: !!binary |\n    [REDACTED]\n'],
  ['data:\n  a : b\n  "c:d": e\n', 'data:\n  a : [REDACTED]\n  "c:d": [REDACTED]\n'],
  // Template placeholders remain; literal values are redacted.
  ...['data: {}\n', 'data: {{ toYaml .V }}\n', `data:\n  a: \${A}\n  b: <your-value>\n`].map(
    (data) => [data, data],
  ),
  [
    'data:\n  {{- range .V }}\n  {{ $k }}: {{ $v | b64enc }}\n  a: {{ "hunter" | b64enc }}\n',
    'data:\n  {{- range .V }}\n  {{ $k }}: {{ $v | b64enc }}\n  a: [REDACTED]\n',
  ],
])('redacts data of a Secret: %j', (data, shown) =>
  isShown(`kind: Secret\n${data}`, `kind: Secret\n${shown}`),
);

test.each([
  [
    '{"kind":"Secret","data":{"a":"b}","c":"d"},"e":1}',
    '{"kind":"Secret","data":[REDACTED],"e":1}',
  ],
  [
    '{\n "data": {\n  "a": "b"\n },\n "kind": "Secret"\n}',
    '{\n "data": [REDACTED],\n "kind": "Secret"\n}',
  ],
  ['"data": {"a":"b"},"kind":"Secret"}', '"data": [REDACTED],"kind":"Secret"}'],
  [
    '{"m":"{\\"kind\\":\\"Secret\\",\\"data\\":{\\"a\\":\\"b\\"}}"}',
    '{"m":"{\\"kind\\":\\"Secret\\",\\"data\\":{\\"a\\":\\"[REDACTED]\\"}}"}',
  ],
  ["{'kind': 'Secret', 'data': {'a': 'b'}}", "{'kind': 'Secret', 'data': [REDACTED]}"],
  ['{ kind: "Secret", stringData: { a: "b" } };', '{ kind: "Secret", stringData: [REDACTED] };'],
  [
    '{"kind":"SecretList","items":[{"data":{"a":"b"}}]}',
    '{"kind":"SecretList","items":[{"data":[REDACTED]}]}',
  ],
  ['{"kind":"Pod","data":{"a":"b"}}', '{"kind":"Pod","data":{"a":"b"}}'],
])('redacts a Secret in braces within a text: %s', (sent, shown) =>
  isShown(`see ${sent} !`, `see ${shown} !`),
);

test('redacts a truncated Secret in braces', () => {
  isShown('see {"kind":"Secret","data":{"a":"b', 'see {"kind":"Secret","data":[REDACTED]');
});

test('redacts a Secret below an annotation, and the items of a SecretList', () => {
  isShown(
    'annotations:\n  last: |\n    {"data":{"a":"b"},"kind":"Secret"}\n',
    'annotations:\n  last: |\n    {"data":[REDACTED],"kind":"Secret"}\n',
  );
  const list = { kind: 'SecretList', items: [{ data: { a: 'b' } }, 'x', { data: { a: 1 } }] };
  expect(redact(list)).toEqual({
    ...list,
    items: [{ data: { a: '[REDACTED]' } }, 'x', { data: { a: 1 } }],
  });
});

test.each([
  'kind: SealedSecret\nspec:\n  encryptedData:\n    a: AgBy\ndata:\n  a: b',
  'Make one of kind: Secret\ndata:\n  a: b',
  'kind: SecretStore\ndata:\n  a: b',
  'kind: Secret\nmetadata:\n  name: a\ntype: Opaque',
  'kind: Deployment\nspec:\n  kind: Secret\ndata:\n  a: b',
])('keeps other kinds and empty data: %j', (text) => isShown(text, text));

test('redacts Secret lines idempotently', () => {
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
    ...[
      'data: {a: b,',
      '  c: d}',
      '? data',
      ': e: f',
      '> data:',
      '>   a: b',
      '> kind: Secret',
      '+data:',
    ],
    ...[
      '{"kind":"Secret","data":{"a":"b"}}',
      '"data": {',
      '}',
      'x\\nkind: Secret\\ndata:\\n  a: b"',
    ],
    ...['kind: SecretList', 'data: &x', '  # a: bcd', '  {{ a }}: b', '  a: <b>'],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const once = redact(lines.join('\n'));
      expect(redact(once)).toBe(once);
    }),
    { numRuns: propertyRuns(3_000) },
  );
});

test.each([
  ...['kind: Secret\ndata:\n a: b\n', '- kind: Secret\n', 'kind: Secret\\ndata:\\n'],
  ...['{"kind":"Secret","data":{', '> kind: Secret\n> data: {\n', 'kind: Secret\\n\\\\n{"\\"'],
])('redacts a megabyte of %j in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});

test.each([
  'kind: Secret\ndata:\n  foo: {"kind":"Secret","data":{"a":"b",\n"c":"hunter"}}',
  'see {"kind":"Secret","metadata":{"annotations":{"n":"what kind of }"}},"data":{"foo":"hunter"}} !',
  'see {"kind":"Secret","metadata":{"annotations":{"n":"{{ kind"}},"data":{"foo":"hunter"}} !',
])('redacts despite nested objects and braces in strings: %s', (text) => {
  expect(redact(text)).not.toContain('hunter');
});
