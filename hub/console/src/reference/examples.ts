// A call of an operation as somebody would write it: for a shell, in TypeScript and in Python, without anything to install.
import type { Operation } from './operations.ts';
import { sampleOf } from './sample.ts';
import { referenceTexts } from './texts.ts';
import type { ApiDocument } from './wire.ts';

export const LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

interface Around {
  document: ApiDocument;
  origin: string;
  tenantId: string;
}

/** `made`: by the program with each call; `token`: from the environment. */
type HeaderValue = { kind: 'text' | 'token'; text: string } | { kind: 'made' };

interface Call {
  method: string;
  url: string;
  headers: [string, HeaderValue][];
  /** undefined: none. */
  body: unknown;
  isPacked: boolean;
  /** What the token is, in words; null where none is asked for. */
  token: string | null;
}

/** The example in each language. */
export function examplesOf(operation: Operation, around: Around): Record<Language, string> {
  const call = callOf(operation, around);
  return { curl: inCurl(call), typescript: inTypeScript(call), python: inPython(call) };
}

function callOf(operation: Operation, { document, origin, tenantId }: Around): Call {
  const needed = operation.parameters.filter((item) => item.required === true);
  const known = (name: string) =>
    ['tenant_id', 'x-tenant-id'].includes(name.toLowerCase()) ? tenantId : placeholder(name);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(known(name)),
  );
  const query = needed
    .filter((item) => item.in === 'query')
    .map((item): [string, string] => [
      item.name,
      String(sampleOf(document, item.schema ?? {}, item.name)),
    ]);
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`;
  const { header, token } = tokenOf(operation, document);
  const asked = needed
    .filter((item) => item.in === 'header' && item.name !== 'Content-Encoding')
    .map((item): [string, HeaderValue] => {
      if (item.name === 'Idempotency-Key') return [item.name, { kind: 'made' }];
      const text = item.name === 'If-Match' ? '"VERSION"' : known(item.name);
      return [item.name, { kind: 'text', text }];
    });
  const isPacked = needed.some((item) => item.name === 'Content-Encoding');
  const { body } = operation;
  const headers: [string, HeaderValue][] = [...header, ...asked];
  if (body !== null) headers.push(['Content-Type', { kind: 'text', text: body.type }]);
  if (isPacked) headers.push(['Content-Encoding', { kind: 'text', text: 'gzip' }]);
  return {
    method: operation.method,
    url: `${origin}${path}${search}`,
    headers,
    body: body === null ? undefined : sampleOf(document, body.schema),
    isPacked,
    token,
  };
}

const placeholder = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

/** The header that says who calls: by the first way that the operation takes. */
function tokenOf(
  operation: Operation,
  document: ApiDocument,
): { header: [string, HeaderValue][]; token: string | null } {
  const [name] = Object.keys(operation.security[0] ?? {});
  const scheme = name === undefined ? undefined : document.components?.securitySchemes?.[name];
  if (scheme === undefined) return { header: [], token: null };
  const token = scheme.description ?? name ?? '';
  const sent = (header: string, before: string): [string, HeaderValue][] => [
    [header, { kind: 'token', text: before }],
  ];
  if (scheme.type === 'http') return { header: sent('Authorization', 'Bearer '), token };
  return scheme.in === 'cookie'
    ? { header: sent('Cookie', `${scheme.name}=`), token }
    : { header: sent(scheme.name ?? '', ''), token };
}

function inCurl({ method, url, headers, body, isPacked, token }: Call): string {
  const lines = [`curl -sS${method === 'GET' ? '' : ` -X ${method}`} '${quoted(url)}'`];
  for (const [name, value] of headers) {
    if (value.kind === 'text') lines.push(`-H '${quoted(`${name}: ${value.text}`)}'`);
    else if (value.kind === 'made') lines.push(`-H "${name}: $(date +%s)-$$"`);
    else lines.push(`-H "${name}: ${value.text}$GATEWARDEN_TOKEN"`);
  }
  const text = body === undefined ? null : quoted(JSON.stringify(body, null, 2));
  if (text !== null) lines.push(isPacked ? '--data-binary @-' : `--data '${text}'`);
  const call = lines.join(' \\\n  ');
  const piped = isPacked && text !== null ? `printf '%s' '${text}' | gzip | ${call}` : call;
  return withToken('#', token, `${piped}\n`);
}

const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`);

function inTypeScript({ method, url, headers, body, isPacked, token }: Call): string {
  const values = headers.map(([name, value]) => {
    if (value.kind === 'text') return `    ${text(name)}: ${text(value.text)},`;
    if (value.kind === 'made') return `    ${text(name)}: crypto.randomUUID(),`;
    return `    ${text(name)}: \`${value.text}\${process.env.GATEWARDEN_TOKEN}\`,`;
  });
  const json = `JSON.stringify(${indented(JSON.stringify(body ?? null, null, 2), '  ')})`;
  return withToken(
    '//',
    token,
    [
      ...(isPacked ? [`import { gzipSync } from 'node:zlib';`, ''] : []),
      `const answer = await fetch(${text(url)}, {`,
      `  method: ${text(method)},`,
      ...(values.length === 0 ? [] : ['  headers: {', ...values, '  },']),
      ...(body === undefined ? [] : [`  body: ${isPacked ? `gzipSync(${json})` : json},`]),
      '});',
      'console.log(answer.status, await answer.text());',
      '',
    ].join('\n'),
  );
}

/** In single quotes, as the house writes it. */
const text = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function inPython({ method, url, headers, body, isPacked, token }: Call): string {
  const values = headers.map(([name, value]) => {
    if (value.kind === 'text')
      return `        ${JSON.stringify(name)}: ${JSON.stringify(value.text)},`;
    if (value.kind === 'made') return `        ${JSON.stringify(name)}: str(uuid.uuid4()),`;
    const read = 'os.environ["GATEWARDEN_TOKEN"]';
    const sent = value.text === '' ? read : `${JSON.stringify(value.text)} + ${read}`;
    return `        ${JSON.stringify(name)}: ${sent},`;
  });
  const isMade = headers.some(([, value]) => value.kind === 'made');
  const modules = [
    ...(isPacked ? ['gzip'] : []),
    ...(body === undefined ? [] : ['json']),
    ...(token === null ? [] : ['os']),
    'urllib.request',
    ...(isMade ? ['uuid'] : []),
  ];
  const json = `json.dumps(${indented(python(body ?? null), '    ')}).encode()`;
  return withToken(
    '#',
    token,
    [
      ...modules.map((item) => `import ${item}`),
      '',
      'request = urllib.request.Request(',
      `    ${JSON.stringify(url)},`,
      `    method=${JSON.stringify(method)},`,
      ...(values.length === 0 ? [] : ['    headers={', ...values, '    },']),
      ...(body === undefined ? [] : [`    data=${isPacked ? `gzip.compress(${json})` : json},`]),
      ')',
      'with urllib.request.urlopen(request) as answer:',
      '    print(answer.status, answer.read().decode())',
      '',
    ].join('\n'),
  );
}

const WORDS = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

/** A JSON value as Python writes it. */
function python(value: unknown, margin = ''): string {
  const word = WORDS.get(value);
  if (word !== undefined || typeof value !== 'object') return word ?? JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inside = Object.entries(value ?? {}).map(([name, item]) => {
    const text = python(item, `${margin}    `);
    return `${margin}    ${Array.isArray(value) ? text : `${JSON.stringify(name)}: ${text}`},`;
  });
  return inside.length === 0
    ? `${open}${close}`
    : [open, ...inside, `${margin}${close}`].join('\n');
}

const indented = (text: string, margin: string): string => text.replaceAll('\n', `\n${margin}`);

const withToken = (comment: string, token: string | null, example: string): string =>
  token === null ? example : `${comment} ${referenceTexts.tokenIs(token)}\n${example}`;
