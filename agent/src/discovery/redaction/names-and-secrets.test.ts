// Redaction is measured in both directions: names of public packages and images survive completely, secrets of every
// shape are removed.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { identifyProduct } from '../mcp/identity.ts';
import { parseLaunch } from '../mcp/launch.ts';
import { classifyWords } from '../mcp/names.ts';
import { showArguments, showLabel } from './argument-allowlist.ts';
import { redactUrl } from './url-redaction.ts';

/** A sample of public registries, chosen by chance among names that look like a token, or mix letters and digits. */
const NAMES: Record<'npm' | 'pypi' | 'images', string[]> = JSON.parse(
  readFileSync(new URL('../../../test/public-names.json', import.meta.url), 'utf8'),
);

/** All that is sent of a launch. */
function sentOf(command: string, args: string[]): string {
  const server = { command, args, url: null };
  const launch = parseLaunch(server);
  const product = identifyProduct(server);
  if (launch === null || product === null) throw new Error('no launch');
  return [product.name, product.version, ...showArguments(args, classifyWords(launch))].join(' ');
}

/** The same letters and digits in each run. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = makeRandom(20260301);
const pick = (letters: string): string => letters.charAt(random(letters.length));
const letters = (alphabet: string, length: number): string =>
  Array.from({ length }, () => pick(alphabet)).join('');
const LOWER = 'abcdefghjkmnpqrstvwxyz';
const DIGITS = '0123456789';
const ANY = `${LOWER}${LOWER.toUpperCase()}${DIGITS}`;
/** Letters and digits that take turns, as no word has them. */
const group = (length: number): string =>
  Array.from({ length }, (_, at) => pick(at % 2 === 0 ? LOWER : DIGITS)).join('');
const joined = (count: number, length: number, separator: string): string =>
  Array.from({ length: count }, () => group(length)).join(separator);
const mixed = (length: number): string =>
  `${letters(ANY, length - 4)}${pick(DIGITS)}${pick(LOWER)}${pick(DIGITS)}Q`;

const SHAPES: [string, string][] = [
  ...[2, 3, 4, 5].flatMap((count) =>
    [3, 4, 5].flatMap((length) =>
      ['-', '_', '.'].flatMap((separator): [string, string][] =>
        Array.from({ length: 2 }, () => ['short groups', joined(count, length, separator)]),
      ),
    ),
  ),
  ...Array.from({ length: 20 }, (): [string, string] => [
    'capitals',
    joined(3, 5, '-').toUpperCase(),
  ]),
  ...Array.from({ length: 20 }, (): [string, string] => ['a word and a group', `kiwi-${group(5)}`]),
  ...Array.from({ length: 20 }, (): [string, string] => [
    'hexadecimal',
    letters('0123456789abcdef', 31) + pick(DIGITS),
  ]),
  ...Array.from({ length: 20 }, (): [string, string] => ['letters of both cases', mixed(24)]),
  ...Array.from({ length: 10 }, (): [string, string] => [
    'a UUID',
    [8, 4, 4, 4, 12]
      .map((length) => letters('0123456789abcdef', length))
      .join('-')
      .replace(/^../, 'a1'),
  ]),
  ...[
    'sk-',
    'sk-proj-',
    'sk-ant-api03-',
    'ghp_',
    'github_pat_',
    'glpat-',
    'npm_',
    'pypi-',
    'hf_',
    'xoxb-',
    'key-',
    'rk_live_',
    'dapi',
    'gsk_',
    'xai-',
    'pat-na1-',
  ].flatMap((prefix): [string, string][] => [
    [`a token of ${prefix}`, prefix + mixed(40)],
    [`a token of ${prefix}, behind a word`, `acme_${prefix}${mixed(40)}`],
  ]),
  ...Array.from({ length: 10 }, (): [string, string] => [
    'a single group',
    `${group(3)}${letters(DIGITS, 3)}${group(3)}`,
  ]),
  ['a word with a digit in it', 'blauerhund7x'],
  ['the example of the issue', 'x9k2a-b7d3e-q1w2e-z8y7x'],
  ['a login encoded', Buffer.from('someone:swordfish1').toString('base64')],
];

test('measures at least 300 public names and 200 secret shapes', () => {
  expect(Object.values(NAMES).flat().length).toBeGreaterThanOrEqual(300);
  expect(new Set(SHAPES.map(([, secret]) => secret)).size).toBeGreaterThanOrEqual(200);
});

describe('public package names', () => {
  test.each(NAMES.npm)('keeps npm %s', (name) => {
    expect(sentOf('npx', ['-y', name])).toBe(`${name.toLowerCase()}  -y ${name}`);
  });
  test.each(NAMES.pypi)('keeps PyPI %s', (name) => {
    expect(sentOf('uvx', [name])).toBe(`${name.toLowerCase().replace(/[-_.]+/g, '-')}  ${name}`);
  });
  test.each(NAMES.images)('keeps the image %s', (image) => {
    const name = image.replace(/:[^:/]*$/, '');
    expect(sentOf('docker', ['run', '-i', image])).toMatch(
      new RegExp(`^${RegExp.escape(name)} .*run -i ${RegExp.escape(image)}$`),
    );
  });
});

describe('secret shapes', () => {
  const inLabels = (secret: string) => showLabel(`notes ${secret}`);
  const inUrl = (secret: string) =>
    [
      redactUrl(`https://mcp.example.com/${secret}/mcp`),
      redactUrl(`https://${secret}.example.com/mcp`),
      redactUrl(`https://mcp.example.com/mcp?${secret}`),
    ].join(' ');
  const inArguments = (secret: string) =>
    [
      sentOf('acme-srv', [secret]),
      sentOf('acme-srv', ['--workspace', secret]),
      sentOf('acme-srv', [`--workspace=${secret}`, 'x']),
      sentOf('acme-srv', ['auth', secret]),
      sentOf('acme-srv', [`/srv/${secret}/data.json`]),
      sentOf('node', [`/srv/${secret}/index.js`]),
      sentOf('npx', ['-y', 'acme-mcp', secret]),
    ].join(' ');
  test.each(SHAPES.filter(([shape]) => shape === 'short groups' || shape === 'a UUID'))(
    'removes a secret beside a package or an image: %s: %s',
    (_, secret) => {
      expect(sentOf('npx', ['-y', secret])).not.toContain(secret);
      expect(sentOf('uvx', ['--licence', secret, 'acme-mcp'])).not.toContain(secret);
      expect(sentOf('docker', ['run', '-i', secret])).not.toContain(secret);
    },
  );

  test.each(SHAPES)('removes %s: %s', (_, secret) => {
    for (const sent of [inLabels(secret), inUrl(secret), inArguments(secret)]) {
      expect(sent).not.toContain(secret);
      expect(sent).not.toContain(secret.slice(-12));
    }
  });
});
