// Servers of the gateway are added to a user's own clients and removed again: the rest of the file stays byte for byte,
// homes of other users are not touched, and only added entries are removed.
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { OfferedMcpServer } from '@gatewarden/shared/wire/sync/mcp-offer.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import type { Home } from '../discovery/homes/home-list.ts';
import { openEditClient } from '../enforcement/quarantine/edit-client.ts';
import { codeCacheOf } from '../runtime/code-cache.ts';
import { openState } from '../store/state-store.ts';
import { openStore } from '../store/store-database.ts';
import type { Offer } from './gateway-offer.ts';
import { createMcpSetup, type McpSetup } from './index.ts';

const isRoot = process.getuid?.() === 0;
const OWN = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
/** People that only this test knows. */
const PERSON = isRoot ? { uid: 54_321, gid: 54_321 } : OWN;
const FILES: OfferedMcpServer = {
  ...{ server_id: 'f0', name: 'The files', config_name: 'files' },
  url: 'https://hub.example.com/files/mcp',
};

let home: Home;
let setup: McpSetup;
let offer: Offer;
let dataDir: string;
/** Children at work, and the most there ever were. */
let asking = 0;
let most = 0;

beforeEach(() => {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  home = { owner: String(PERSON.uid), path: join(folder, 'home'), ...PERSON };
  mkdirSync(home.path);
  if (isRoot) chownSync(home.path, PERSON.uid, PERSON.gid);
  offer = { servers: [FILES], problem: null };
  setup = open();
});

const open = () =>
  createMcpSetup({
    ownerOf: (key) => (key === 'mine' ? home.owner : null),
    homes: [home],
    platform: 'linux',
    state: openState(openStore(dataDir, Date.now).db),
    edit: async (job) => {
      most = Math.max(most, ++asking);
      return openEditClient(codeCacheOf(null))(job).finally(() => asking--);
    },
    offer: async () => offer,
    log: () => undefined,
  });

const at = (path: string) => join(home.path, path);
function give(path: string, text: string | null): void {
  const file = at(path);
  const made: string[] = [];
  for (let folder = dirname(file); folder !== home.path; folder = dirname(folder)) {
    if (!existsSync(folder)) made.push(folder);
  }
  mkdirSync(dirname(file), { recursive: true });
  if (text !== null) writeFileSync(file, text, { mode: 0o640 });
  if (!isRoot) return;
  for (const path of [...made, ...(text === null ? [] : [file])]) {
    chownSync(path, PERSON.uid, PERSON.gid);
  }
}
const read = (path: string) => readFileSync(at(path), 'utf8');
const asked = (client: string) => ({ server_id: FILES.server_id, client });
const stateIn = async (client: string) =>
  (await setup.list('mine')).servers[0]?.clients.find((row) => row.client === client)?.state;

describe('offered server', () => {
  const COMMENTED = `{
  // my own
  "mcpServers": {
    "notes": { "command": "npx", "args": ["-y", "notes"] } /* last */
  },
  "other": [1,2,  3]
}
`;
  const forms: [string, string, string | null, (text: string) => void][] = [
    [
      'cursor',
      '.cursor/mcp.json',
      COMMENTED,
      (text) => {
        expect(text).toContain('// my own');
        expect(text).toContain('"files": { "url": "https://hub.example.com/files/mcp" }');
      },
    ],
    ['cursor', '.cursor/mcp.json', null, (text) => JSON.parse(text)],
    ['cursor', '.cursor/mcp.json', '', (text) => JSON.parse(text)],
    [
      'claude-code',
      '.claude.json',
      '{"numStartups":3,"projects":{"/p":{"mcpServers":{}}}}',
      (text) => {
        expect(JSON.parse(text)).toEqual({
          numStartups: 3,
          projects: { '/p': { mcpServers: {} } },
          mcpServers: { files: { type: 'http', url: FILES.url } },
        });
      },
    ],
    [
      'codex',
      '.codex/config.toml',
      'model = "x" # mine\n\n[mcp_servers.notes]\ncommand = "npx"',
      (text) => {
        expect(text).toContain('model = "x" # mine');
        expect(text).toContain(`[mcp_servers.files]\nurl = "${FILES.url}"\n`);
      },
    ],
    ['codex', '.codex/config.toml', null, (text) => expect(text).toContain('[mcp_servers.files]')],
    [
      'vscode',
      '.config/Code/User/mcp.json',
      '\ufeff{\r\n\t"servers": {}\r\n}\r\n',
      (text) => {
        expect(text.startsWith('\ufeff{\r\n\t"servers": {')).toBe(true);
        expect(text).toContain('"type": "http"');
      },
    ],
    [
      'gemini-cli',
      '.gemini/settings.json',
      '{"theme":"dark"}',
      (text) => expect(JSON.parse(text).mcpServers.files).toEqual({ httpUrl: FILES.url }),
    ],
    [
      'opencode',
      '.config/opencode/opencode.json',
      '{}',
      (text) =>
        expect(JSON.parse(text).mcp.files).toEqual({
          ...{ type: 'remote', url: FILES.url, enabled: true },
        }),
    ],
    [
      'windsurf',
      '.codeium/windsurf/mcp_config.json',
      null,
      (text) => expect(JSON.parse(text).mcpServers.files).toEqual({ serverUrl: FILES.url }),
    ],
  ];

  test.each(forms)(
    'adds a server to %s (%s: %j) and removes it byte for byte',
    async (client, path, before, check) => {
      give(path, before);
      expect(await stateIn(client)).toBe('none');
      expect(await setup.putIn('mine', asked(client))).toEqual({ file: `~/${path}` });
      check(read(path));
      const { uid, mode } = lstatSync(at(path));
      expect([uid, mode & 0o777]).toEqual([PERSON.uid, before === null ? 0o600 : 0o640]);
      expect(await stateIn(client)).toBe('ours');
      const whole = read(path);
      await setup.putIn('mine', asked(client));
      expect(read(path)).toBe(whole);
      // A later run knows the entries of an earlier run, too.
      setup = open();
      await setup.takeOut('mine', asked(client));
      expect(existsSync(at(path)) ? read(path) : null).toBe(before);
      expect(readdirSync(dirname(at(path))).filter((name) => name.includes('gatewarden'))).toEqual(
        [],
      );
      await setup.takeOut('mine', asked(client));
      expect(await stateIn(client)).toBe('none');
    },
  );

  test('removes only its own entry after other programs wrote to the file', async () => {
    give('.cursor/mcp.json', COMMENTED);
    await setup.putIn('mine', asked('cursor'));
    writeFileSync(at('.cursor/mcp.json'), read('.cursor/mcp.json').replace('[1,2,  3]', '[4]'));
    await setup.takeOut('mine', asked('cursor'));
    expect(read('.cursor/mcp.json')).toBe(COMMENTED.replace('[1,2,  3]', '[4]'));
  });

  test('keeps an entry that the user changed', async () => {
    give('.cursor/mcp.json', '{}');
    await setup.putIn('mine', asked('cursor'));
    const mine = read('.cursor/mcp.json').replace('}', ', "headers": { "x": "y" } }');
    writeFileSync(at('.cursor/mcp.json'), mine);
    expect(await stateIn('cursor')).toBe('set_up');
    await expect(setup.takeOut('mine', asked('cursor'))).rejects.toThrow('it was changed since');
    expect(read('.cursor/mcp.json')).toBe(mine);
  });

  test('does not add a server whose name is taken', async () => {
    const taken = '{"mcpServers":{"files":{"command":"mine"}}}';
    give('.cursor/mcp.json', taken);
    expect(await stateIn('cursor')).toBe('taken');
    await expect(setup.putIn('mine', asked('cursor'))).rejects.toThrow('under that name');
    expect(read('.cursor/mcp.json')).toBe(taken);
  });

  test.each([
    ['that does not parse', '{"mcpServers":'],
    ['whose servers are a list', '{"mcpServers":[]}'],
    ['that is no text', '\ufffe\u0000'],
  ])('leaves a file alone %s', async (_what, text) => {
    give('.cursor/mcp.json', text);
    expect(await stateIn('cursor')).toBe('unreadable');
    await expect(setup.putIn('mine', asked('cursor'))).rejects.toThrow();
    expect(read('.cursor/mcp.json')).toBe(text);
  });

  test('removes a server that is no longer offered, and does not add it again', async () => {
    give('.cursor/mcp.json', null);
    await setup.putIn('mine', asked('cursor'));
    offer = { servers: [], problem: null };
    expect((await setup.list('mine')).servers).toMatchObject([
      { server_id: 'f0', offered: false, clients: [{ client: 'cursor', state: 'ours' }] },
    ]);
    await setup.takeOut('mine', asked('cursor'));
    expect(existsSync(at('.cursor/mcp.json'))).toBe(false);
    expect((await setup.list('mine')).servers).toEqual([]);
    await expect(setup.putIn('mine', asked('cursor'))).rejects.toThrow('does not offer');
  });
});

describe('isolation between users', () => {
  test("reveals no clients and writes nothing without a user's key", async () => {
    give('.cursor/mcp.json', '{}');
    for (const key of [null, 'theirs']) {
      expect(await setup.list(key)).toMatchObject({
        servers: [{ server_id: 'f0', clients: [] }],
        may_set_up: false,
      });
      await expect(setup.putIn(key, asked('cursor'))).rejects.toThrow('only a person');
      await expect(setup.takeOut(key, asked('cursor'))).rejects.toThrow('only a person');
    }
    expect(read('.cursor/mcp.json')).toBe('{}');
  });

  test('does not follow a link that leads out of the home', async () => {
    const outside = join(dataDir, 'outside.json');
    writeFileSync(outside, '{}');
    chmodSync(dataDir, 0o777);
    chmodSync(outside, 0o666);
    give('.cursor/mcp.json', null);
    symlinkSync(outside, at('.cursor/mcp.json'));
    expect(await stateIn('cursor')).toBe('unreadable');
    await expect(setup.putIn('mine', asked('cursor'))).rejects.toThrow('out of the home');
    give('.codex/config.toml', null);
    symlinkSync(dataDir, at('.gemini'));
    await expect(setup.putIn('mine', asked('gemini-cli'))).rejects.toThrow();
    expect(readFileSync(outside, 'utf8')).toBe('{}');
    expect(existsSync(join(dataDir, 'settings.json'))).toBe(false);
  });

  test.runIf(isRoot)('does not write as root a file that the user cannot write', async () => {
    mkdirSync(at('.cursor'), { mode: 0o755 });
    writeFileSync(at('.cursor/mcp.json'), '{}', { mode: 0o644 });
    await expect(setup.putIn('mine', asked('cursor'))).rejects.toThrow('EACCES');
    expect(read('.cursor/mcp.json')).toBe('{}');
  });

  test('starts children sequentially for simultaneous requests', async () => {
    give('.cursor/mcp.json', '{}');
    most = 0;
    const all = Array.from({ length: 8 }, () => setup.list('mine'));
    await Promise.all([...all, setup.putIn('mine', asked('cursor'))]);
    expect(most).toBe(1);
  });

  test('reports a client that is unknown or not installed', async () => {
    await expect(setup.putIn('mine', asked('emacs'))).rejects.toThrow('not known here');
    await expect(setup.putIn('mine', asked('cursor'))).rejects.toThrow('its folder is not there');
    expect((await setup.list('mine')).servers[0]?.clients).toEqual([]);
  });
});
