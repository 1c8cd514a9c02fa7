// Entries are removed from and restored to every format, whatever surrounds them: the rest stays byte for byte.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newEntry } from './entry.ts';
import { applySplice, invert, parseConfiguration, putBack, spliceOf, takeOut } from './index.ts';
import type { Member } from './text.ts';

function roundTrip(file: string, text: string, container: string[], members: Member[]) {
  const cut = takeOut(file, text, container, members);
  if (cut === null) throw new Error('it could not be taken out');
  const splice = spliceOf(text, cut.text);
  expect(applySplice(text, splice)).toBe(cut.text);
  expect(applySplice(cut.text, invert(splice))).toBe(text);
  let back = cut.text;
  for (const entry of cut.entries) back = putBack(file, back, container, entry) ?? 'null';
  expect(parseConfiguration(file, back)).toEqual(parseConfiguration(file, text));
  return { cut: cut.text, back, entries: cut.entries };
}

const JSONC = `\ufeff{
  // What I use
  "theme": "dark", /* really */
  "mcpServers": {
    // the first
    "alpha": { "command": "npx", "args": ["-y", "alpha"] }, // behind alpha
    "beta": {
      "command": "node", // its own
      "args": ["b.js"],
    },
    // the last
    "gamma": { "command": "g" }
  },
}
`;

test('keeps all JSON and comments outside of the entry', () => {
  expect(roundTrip('c.json', JSONC, ['mcpServers'], ['beta']).cut).toBe(
    JSONC.replace(/ {4}"beta"[\s\S]*?\n {4}\},\n/, ''),
  );
  const last = roundTrip('c.json', JSONC, ['mcpServers'], ['gamma']);
  expect(last.cut).toBe(
    JSONC.replace('    "gamma": { "command": "g" }\n', '').replace(
      '    },\n    // the last',
      '    }\n    // the last',
    ),
  );
  expect(last.back).toContain('"gamma": { "command": "g" }');
  const first = roundTrip('c.json', JSONC, ['mcpServers'], ['alpha']);
  expect(first.cut).toContain('// the first');
  expect(first.cut).toContain('// behind alpha');
  const all = roundTrip('c.json', JSONC, ['mcpServers'], ['alpha', 'beta', 'gamma']);
  expect(parseConfiguration('c.json', all.cut)).toEqual({ theme: 'dark', mcpServers: {} });
});

test.each([
  ['{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}', ['mcpServers'], ['a']],
  ['{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}', ['mcpServers'], ['b']],
  ['{"mcpServers":{"a":{"command":"x"}}}', ['mcpServers'], ['a']],
  ['{\r\n\t"a": {"command":"x"},\r\n\t"b": {"command":"y"}\r\n}\r\n', [], ['a']],
  ['{"mcp.servers": {"a": {"command": "x"}, }}', ['mcp.servers'], ['a']],
  ['{"l": [ {"command":"x"}, {"command":"y"}, {"command":"z"} ]}', ['l'], [1]],
  ['{"l": [ {"command":"x"}, {"command":"y"}, {"command":"z"} ]}', ['l'], [0, 2]],
  [
    '{"p":{"/home/x":{"mcpServers":{"é ✓":{"command":"x"}}}}}',
    ['p', '/home/x', 'mcpServers'],
    ['é ✓'],
  ],
] as const)('removes and restores in %s', (text, container, members) => {
  roundTrip('c.json', text, [...container], [...members]);
});

const TOML = `# mine
model = "o3"

[mcp_servers.alpha] # first
command = "npx"
args = [
  "-y",
  "alpha",
]

[mcp_servers.alpha.env]
KEY = "v"

# about beta
[mcp_servers.beta]
command = "b"

[profiles.x]
a = 1
`;

test('keeps comments and order in TOML, and removes sub-tables with their table', () => {
  const { cut, back } = roundTrip('c.toml', TOML, ['mcp_servers'], ['alpha']);
  expect(cut).toBe(TOML.replace(/\[mcp_servers.alpha\][\s\S]*?KEY = "v"\n\n/, ''));
  expect(back).toContain('[mcp_servers.alpha] # first');
  const both = roundTrip('c.toml', TOML, ['mcp_servers'], ['alpha', 'beta']);
  expect(both.cut).toContain('# about beta');
});

test.each([
  ['[mcp_servers]\nalpha = { command = "x" }\nbeta.command = "y"\n', 'alpha'],
  [
    '[mcp_servers]\nalpha = { command = "x" }\nbeta.command = "y"\nbeta.args = [\n"1",\n]\n',
    'beta',
  ],
  ['mcp_servers.alpha.command = "x"\nmcp_servers.beta.command = "y"\n[other]\na=1', 'alpha'],
  ['[mcp_servers."my server"]\ncommand = """\n[mcp_servers.no]\n"""', 'my server'],
  ['[mcp_servers.only]\r\ncommand = "x"\r\n', 'only'],
])('removes and restores in TOML %j', (text, member) => {
  roundTrip('c.toml', text, ['mcp_servers'], [member]);
});

const YAML_LIST = `# mine
name: me
mcpServers:
  # the first
  - name: alpha # here
    command: npx
    args: ["-y", alpha]

  - name: beta
    command: |
      several
      lines
models: [a, b] # kept   as it is
`;
const YAML_MAP = `extensions:
    alpha:
        cmd: npx   # odd   spaces
        args:
        - -y
    beta:
        cmd: b
last: 'x'
`;

test.each([
  [YAML_LIST, ['mcpServers'], [0]],
  [YAML_LIST, ['mcpServers'], [1]],
  [YAML_LIST, ['mcpServers'], [0, 1]],
  [YAML_MAP, ['extensions'], ['alpha']],
  [YAML_MAP, ['extensions'], ['beta']],
  [YAML_MAP, ['extensions'], ['alpha', 'beta']],
  ['extensions: {alpha: {cmd: x}, beta: {cmd: y}}\n', ['extensions'], ['alpha']],
  ['mcpServers:\n- command: x\n  name: a\n- command: y\n', ['mcpServers'], [0]],
  ['mcpServers:\n- command: x\n', ['mcpServers'], [0]],
  ['alpha:\n  command: x\nbeta:\n  command: y', [], ['beta']],
] as const)('removes and restores in YAML %#', (text, container, members) => {
  const { cut } = roundTrip('c.yaml', text, [...container], [...members]);
  if (text === YAML_LIST) expect(cut).toContain('models: [a, b] # kept   as it is\n');
  if (text === YAML_MAP) expect(cut).toContain("last: 'x'\n");
});

test('restores an entry into a file that others changed meanwhile', () => {
  const [alpha] = takeOut('c.json', JSONC, ['mcpServers'], ['alpha'])?.entries ?? [];
  const [beta] = takeOut('c.yaml', YAML_MAP, ['extensions'], ['beta'])?.entries ?? [];
  const [gamma] = takeOut('c.toml', TOML, ['mcp_servers'], ['alpha'])?.entries ?? [];
  if (!alpha || !beta || !gamma) throw new Error('nothing was taken');
  const json = putBack('c.json', '{"other": 1} // mine\n', ['mcpServers'], alpha);
  expect(json).toContain('// mine');
  expect(parseConfiguration('c.json', json ?? '')).toEqual({
    other: 1,
    mcpServers: { alpha: { command: 'npx', args: ['-y', 'alpha'] } },
  });
  const yaml = putBack(
    'c.yaml',
    '# new\nlast: 1\nextensions:\n  z: {cmd: z}\n',
    ['extensions'],
    beta,
  );
  expect(yaml).toBe('# new\nlast: 1\nextensions:\n  z: {cmd: z}\n  beta:\n      cmd: b\n');
  expect(putBack('c.yaml', 'extensions:\n', ['extensions'], beta)).toContain('cmd: b');
  expect(putBack('c.toml', 'a = 1\n', ['mcp_servers'], gamma)).toContain('[mcp_servers.alpha.env]');
  expect(putBack('c.json', JSONC, ['mcpServers'], alpha)).toBe('there');
  expect(putBack('c.json', '{"mcpServers": 5}', ['mcpServers'], alpha)).toBeNull();
  expect(putBack('c.json', '{"mcpServers": {', ['mcpServers'], alpha)).toBeNull();
});

test('keeps Windows line ends in YAML, also after changes of others', () => {
  const list =
    '# mine\r\nmcpServers:\r\n- name: q\r\n  command: npx\r\n  args:\r\n  - q\r\n- {name: keep, command: npx}\r\n';
  const map = 'extensions: # all\r\n  q:\r\n    cmd: npx\r\n    args:\r\n    - a\r\nother: 1\r\n';
  const listed = roundTrip('c.yaml', list, ['mcpServers'], [0]);
  expect(listed.back).toBe(list);
  const [entry] = listed.entries;
  if (entry === undefined) throw new Error('it was not cut');
  const later = `${listed.cut}- name: new\r\n  command: npx\r\n`;
  expect(putBack('c.yaml', later, ['mcpServers'], entry)).toBe(
    `${list}- name: new\r\n  command: npx\r\n`,
  );
  const mapped = roundTrip('c.yaml', map, ['extensions'], ['q']);
  expect(mapped.cut).toBe('extensions: {} # all\r\nother: 1\r\n');
  // Whatever the way back is: no line of another kind.
  expect(mapped.back.replaceAll('\r\n', '')).not.toContain('\n');
});

test('leaves a file alone that does not parse or lacks the entry', () => {
  expect(takeOut('c.json', '{"a": {', ['a'], ['b'])).toBeNull();
  expect(takeOut('c.json', '{"a": {}}', ['a'], ['b'])).toBeNull();
  expect(takeOut('c.toml', 'a = [', ['a'], ['b'])).toBeNull();
  expect(takeOut('c.yaml', 'a: &x {command: 1}\nb: *x\n', [], ['a'])).toBeNull();
});

test('keeps any map of servers over any removal, in each format', () => {
  const name = fc.stringMatching(/^[A-Za-z_][\w .-]{0,8}$/);
  const server = fc.record({
    command: fc.string(),
    args: fc.array(fc.string(), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(
      fc.dictionary(name, server, { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
      fc.nat(),
      fc.constantFrom(0, 2, '\t'),
      (servers, pick, indent) => {
        const names = Object.keys(servers);
        const member = names[pick % names.length] ?? '';
        const text = JSON.stringify(
          { before: 1, mcpServers: servers, after: [1, 2] },
          null,
          indent,
        );
        roundTrip('c.json', text, ['mcpServers'], [member]);
      },
    ),
  );
});

test.each([
  ['{\n  "s": {\n    "a": { "x": [1,  2] } // mine\n  }\n}\n', '// mine\n    "new": '],
  ['{\n  "s": {\n    "a": {"x":1}, /* last */\n  },\n}', '/* last */\n    "new": '],
  ['{"s":{"a":{"x":1}}}', '{"x":1}, "new": '],
  [
    '{\r\n\t"s": {\r\n\t\t"a": {},\r\n\t\t"b": {\r\n\t\t\t"y": 1\r\n\t\t}\r\n\t}\r\n}',
    '},\r\n\t\t"new"',
  ],
  ['{ "s": { // odd\n "a": {} } }', '"a": {},\n "new": '],
])('adds an entry behind the last, which stays unchanged: %j', (text, expected) => {
  const added = putBack('c.json', text, ['s'], newEntry('c.json', ['s'], 'new', { url: 'u' }));
  expect(added).toContain(expected);
  expect(parseConfiguration('c.json', String(added))).toMatchObject({ s: { new: { url: 'u' } } });
  expect(applySplice(String(added), invert(spliceOf(text, String(added))))).toBe(text);
  const out = takeOut('c.json', String(added), ['s'], ['new'])?.text ?? '';
  expect(parseConfiguration('c.json', out)).toEqual(parseConfiguration('c.json', text));
});
