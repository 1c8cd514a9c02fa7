// MCP servers are found in every client format on three systems; broken and hostile configurations cause no harm and
// are reported.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entityId } from '@gatewarden/shared/identity.ts';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { byName, plant, put, scanTree } from '../../../test/trees.ts';
import { mcpConfig } from './mcp-config.ts';

const HOME = 'home/alice';
const npx = (pkg: string, ...args: string[]) => ({ command: 'npx', args: ['-y', pkg, ...args] });

function configured(wire: { details?: object | null } | undefined) {
  const details = wire?.details ?? { configured: [] };
  return (details as { configured: Record<string, unknown>[] }).configured;
}

describe('MCP servers', () => {
  test('finds servers in JSON, JSONC with a byte-order mark, TOML, a YAML list and a YAML map', async () => {
    const root = makeFolder();
    plant(root, {
      [`${HOME}/.cursor/mcp.json`]: {
        mcpServers: { files: npx('@modelcontextprotocol/server-filesystem', '~/x') },
      },
      [`${HOME}/.config/Code/User/mcp.json`]:
        '\ufeff// mine\n{"servers": {"git": {"command": "uvx", "args": ["mcp_server.git==1.2.0",],}, /* x */ }}',
      [`${HOME}/.codex/config.toml`]:
        '[mcp_servers.remote]\nurl = "https://u:pw@MCP.example.org/v1/mcp?key=planted"\n[mcp_servers.remote.http_headers]\nAuthorization = "Bearer planted"\n',
      [`${HOME}/.continue/config.yaml`]:
        'mcpServers:\n  - name: in a list\n    command: docker\n    args: [run, -i, --rm, -e, "TOKEN=planted", "ghcr.io/acme/tool:v2"]\n',
      [`${HOME}/.config/goose/config.yaml`]:
        'extensions:\n  memory: {bundled: true, cmd: x}\n  own:\n    cmd: /opt/acme/acme-mcp\n    args: [stdio]\n    envs: {ACME_KEY: planted, ghp_AbCdEfGhIjKlMnOpQrStUvWxYz: X}\n    headers: ["X-Acme: planted", "plantedAlone"]\n',
    });
    put(root, 'opt/acme/acme-mcp', 'x', 0o755);
    const result = await scanTree([mcpConfig], root, { people: ['alice'] });
    const found = byName(result);
    expect([...found.keys()].sort()).toEqual([
      '@modelcontextprotocol/server-filesystem',
      'acme-mcp',
      'ghcr.io/acme/tool',
      'mcp-server-git',
      'mcp.example.org/v1/mcp',
    ]);
    const key = (name: string, key: string) =>
      expect(found.get(name)?.entity_id).toBe(entityId('linux', 'mcp_server', 'mcp_config', key));
    key('@modelcontextprotocol/server-filesystem', 'npm:@modelcontextprotocol/server-filesystem');
    key('mcp-server-git', 'pypi:mcp-server-git');
    key('ghcr.io/acme/tool', 'ghcr.io/acme/tool');
    key('mcp.example.org/v1/mcp', 'mcp.example.org/v1/mcp');
    key('acme-mcp', 'acme-mcp');
    expect(found.get('mcp-server-git')).toMatchObject({
      version: '1.2.0',
      instances: [{ owner: 'alice', path: '~/.config/Code/User/mcp.json', name: 'git' }],
    });
    expect(found.get('acme-mcp')?.executables).toEqual(['/opt/acme/acme-mcp']);
    expect(configured(found.get('acme-mcp'))[0]).toMatchObject({
      client: 'goose',
      env: ['ACME_KEY'],
      headers: ['X-Acme'],
    });
    expect(configured(found.get('mcp.example.org/v1/mcp'))[0]).toMatchObject({
      url: 'https://MCP.example.org/v1/mcp?key=[cut]',
      headers: ['Authorization'],
    });
    expect(configured(found.get('@modelcontextprotocol/server-filesystem'))[0]).toMatchObject({
      unpinned: true,
      args: ['-y', '@modelcontextprotocol/server-filesystem', '~/x'],
    });
    expect(JSON.stringify(result.entities.map((entity) => entity.wire))).not.toMatch(
      /planted|ghp_|u:pw|alice\//,
    );
    expect(result.coverage).toMatchObject([
      { owner: null, state: 'absent' },
      { owner: 'alice', state: 'read', entities: 5 },
    ]);
  });

  test('finds servers in UTF-16, with Windows line ends, as a command line, and behind wrappers', async () => {
    const root = makeFolder();
    const text =
      '\ufeff{\r\n"servers": {"a": {"command": "npx", "args": "-y wide-pkg --token planted"}}}\r\n';
    plant(root, {
      [`${HOME}/.config/Code/User/mcp.json`]: Buffer.from(text, 'utf16le'),
      [`${HOME}/.vscode/mcp.json`]: Buffer.from(text.replace('wide', 'big'), 'utf16le').swap16(),
      [`${HOME}/.cursor/mcp.json`]: {
        mcpServers: {
          line: { command: 'KEY=planted FOO=planted npx -y line-pkg --key planted' },
          path: { command: '/opt/acme/acme-mcp --token planted' },
          env: { command: 'env', args: ['FOO=planted', '/opt/acme/other-mcp', '-t', 'planted'] },
        },
      },
    });
    put(root, 'opt/acme/other-mcp', 'x', 0o755);
    put(root, 'usr/bin/env', 'x', 0o755);
    const result = await scanTree([mcpConfig], root, { people: ['alice'] });
    const found = byName(result);
    expect([...found.keys()].sort()).toEqual([
      'acme-mcp',
      'big-pkg',
      'line-pkg',
      'other-mcp',
      'wide-pkg',
    ]);
    // A launcher is not the server: a decision about the server must not apply to the launcher.
    expect(found.get('other-mcp')?.executables).toEqual(['/opt/acme/other-mcp']);
    expect(JSON.stringify(result)).not.toContain('planted');
  });

  test('finds all servers of a file with several sections or odd names', async () => {
    const root = makeFolder();
    const old = { transport: { type: 'stdio', ...npx('old-list') } };
    plant(root, {
      [`${HOME}/.config/Code/User/settings.json`]: {
        'mcp.servers': {},
        mcp: { servers: { a: npx('nested') } },
      },
      [`${HOME}/.continue/config.json`]: {
        mcpServers: [npx('new-list')],
        experimental: { modelContextProtocolServers: [old] },
      },
      [`${HOME}/.gemini/settings.json`]: {
        mcpServers: {
          transport: npx('called-transport'),
          command: npx('called-command'),
          url: { httpUrl: 'https://called-url.example.org' },
        },
      },
      [`${HOME}/.cursor/mcp.json`]: {
        mcpServers: { command: 'lone', env: { url: 'planted' }, hidden: npx('beside-lone') },
      },
      // Numbers beyond what JavaScript counts exactly are valid TOML.
      [`${HOME}/.codex/config.toml`]:
        'big = 9007199254740993\nmcp_servers.t = {command = "npx", args = ["toml-big", 9007199254740993]}\n',
      [`${HOME}/.aws/amazonq/mcp.json`]: {
        mcpServers: { typed: { type: 'http', ...npx('decoy'), url: 'https://asked.example.org' } },
      },
    });
    const result = await scanTree([mcpConfig], root, { people: ['alice'] });
    expect([...byName(result).keys()].sort()).toEqual([
      'asked.example.org',
      'beside-lone',
      'called-command',
      'called-transport',
      'called-url.example.org',
      'lone',
      'nested',
      'new-list',
      'old-list',
      'toml-big',
    ]);
    expect(result.problems).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('planted');
  });

  test('reports that a file has too many servers', async () => {
    const root = makeFolder();
    const many = Array.from({ length: 501 }, (_, n) => [`s${n}`, npx(`pkg-${n}`)]);
    plant(root, { [`${HOME}/.cursor/mcp.json`]: { mcpServers: Object.fromEntries(many) } });
    const { coverage } = await scanTree([mcpConfig], root, { people: ['alice'] });
    expect(coverage[1]).toMatchObject({ state: 'timed_out', reason: 'more than 500 servers' });
  });

  test('finds servers of every client and scope of Linux', async () => {
    const root = makeFolder();
    let n = 0;
    const nextServer = () => ({ [`s${++n}`]: npx(`pkg-${n}`) });
    const servers = () => ({ mcpServers: nextServer() });
    const user: Record<string, unknown> = {
      '.config/Claude/claude_desktop_config.json': servers(),
      '.claude.json': { ...servers(), projects: { '/home/alice/far/away/in/p': servers() } },
      '.claude/settings.json': servers(),
      '.claude/plugins/cache/market/plug/1.0/.mcp.json': nextServer(),
      '.claude/plugins/cache/market/plug/1.0/.claude-plugin/plugin.json': {
        name: 'p',
        ...servers(),
      },
      '.codex/plugins/plug/.codex-plugin/plugin.json': { name: 'p', ...servers() },
      '.cursor/plugins/local/x/mcp.json': servers(),
      '.config/Code - Insiders/User/mcp.json': { servers: nextServer() },
      '.config/Code/User/settings.json': { 'mcp.servers': nextServer() },
      '.config/Code/User/profiles/ab12/settings.json': { mcp: { servers: nextServer() } },
      '.config/Code/User/profiles/ab12/mcp.json': { servers: nextServer() },
      '.vscode/mcp.json': { servers: nextServer() },
      '.codeium/windsurf/mcp_config.json': servers(),
      '.gemini/antigravity/mcp_config.json': servers(),
      '.gemini/settings.json': servers(),
      '.config/zed/settings.json': {
        context_servers: { z: { command: { path: 'npx', args: [`pkg-${++n}`] } } },
      },
      '.continue/mcpServers/one.yaml': `name: one\ncommand: npx\nargs: [pkg-${++n}]\n`,
      '.config/VSCodium/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json':
        servers(),
      '.cline/data/settings/cline_mcp_settings.json': servers(),
      '.config/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json':
        servers(),
      '.config/opencode/opencode.jsonc': {
        mcp: { o: { type: 'local', command: ['npx', '-y', `pkg-${++n}`] } },
      },
      '.kiro/settings/mcp.json': servers(),
      '.config/crush/crush.json': { mcp: nextServer() },
      '.junie/mcp/mcp.json': servers(),
      '.config/github-copilot/intellij/mcp.json': { servers: nextServer() },
      '.gemini/extensions/x/gemini-extension.json': { name: 'x', ...servers() },
      '.aws/amazonq/cli-agents/x.json': servers(),
      '.vscode-server/data/User/mcp.json': { servers: nextServer() },
      '.vscode-server/data/Machine/mcp.json': { servers: nextServer() },
      '.var/app/com.visualstudio.code/config/Code/User/mcp.json': { servers: nextServer() },
      '.var/app/dev.zed.Zed/config/zed/settings.json': { context_servers: nextServer() },
      'code/app/.junie/mcp/mcp.json': servers(),
      'code/app/.amazonq/mcp.json': servers(),
      'code/app/.continue/mcpServers/one.yaml': `name: one\ncommand: npx\nargs: [pkg-${++n}]\n`,
      'far/away/in/p/.mcp.json': servers(),
      'code/app/.vscode/mcp.json': { servers: nextServer() },
      'code/app/.codex/config.toml': `[mcp_servers.p]\ncommand = "npx"\nargs = ["pkg-${++n}"]\n`,
      'code/app/.roo/mcp.json': servers(),
    };
    for (const file of ['.aws/amazonq', '.lmstudio']) user[`${file}/mcp.json`] = servers();
    for (const file of ['.mcp.json', '.copilot/mcp-config.json']) user[file] = servers();
    plant(
      root,
      Object.fromEntries(Object.entries(user).map(([path, to]) => [`${HOME}/${path}`, to])),
    );
    plant(root, {
      'etc/claude-code/managed-mcp.json': servers(),
      'etc/codex/config.toml': `[mcp_servers.m]\ncommand = "npx"\nargs = ["pkg-${++n}"]\n`,
      'etc/opencode/opencode.json': { mcp: nextServer() },
    });
    const result = await scanTree([mcpConfig], root, { people: ['alice'] });
    const names = result.entities.map((e) => e.wire.name).sort();
    expect(names).toEqual(Array.from({ length: n }, (_, i) => `pkg-${i + 1}`).sort());
    expect(result.problems).toEqual([]);
    expect(result.coverage[0]).toMatchObject({ owner: null, state: 'read', entities: 3 });
  });

  test('finds servers in the locations of macOS and Windows', async () => {
    const root = makeFolder();
    const toml = Buffer.from('[mcp_servers.m]\ncommand = "npx"\nargs = ["from-mdm"]\n').toString(
      'base64',
    );
    plant(root, {
      'Users/alice/Library/Application Support/Claude/claude_desktop_config.json': {
        mcpServers: { a: npx('mac-a') },
      },
      'Library/Application Support/ClaudeCode/managed-mcp.json': {
        mcpServers: { b: npx('mac-managed') },
      },
      'Library/Managed Preferences/com.openai.codex.plist': `<?xml version="1.0"?><plist version="1.0"><dict><key>config_toml_base64</key><string>${toml}</string></dict></plist>`,
      'Users/alice/AppData/Roaming/Claude/claude_desktop_config.json': {
        mcpServers: { w: { command: 'cmd', args: ['/c', 'npx', '-y', 'win-a'] } },
      },
      'Users/alice/AppData/Roaming/Block/goose/config/config.yaml':
        'extensions:\n  g: {cmd: uvx, args: [win-goose]}\n',
      'ProgramData/OpenAI/Codex/config.toml':
        '[mcp_servers.w]\nurl = "https://win.example.org/mcp/"\n',
    });
    const mac = await scanTree([mcpConfig], root, { platform: 'darwin', people: ['alice'] });
    expect([...byName(mac).keys()].sort()).toEqual(['from-mdm', 'mac-a', 'mac-managed']);
    const win = await scanTree([mcpConfig], root, { platform: 'win32', people: ['alice'] });
    expect([...byName(win).keys()].sort()).toEqual(['win-a', 'win-goose', 'win.example.org/mcp']);
    expect(byName(win).get('win-a')?.install_path).toBe(
      '~\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    );
  });

  test('groups servers by product, and reports drift for another argument but not for a new token', async () => {
    const launch = async (args: string[], path = '.cursor/mcp.json') => {
      const root = makeFolder();
      plant(root, {
        [`${HOME}/${path}`]: { mcpServers: { one: npx('Pkg@1.10.0', ...args) } },
        'home/bob/.cursor/mcp.json': { mcpServers: { other: npx('pkg@1.9.0') } },
      });
      const [entity, ...rest] = (await scanTree([mcpConfig], root, { people: ['alice', 'bob'] }))
        .entities;
      expect(rest).toEqual([]);
      expect(entity?.wire.version).toBe('1.10.0');
      return entity?.wire.instances?.find((instance) => instance.owner === 'alice')?.launch_hash;
    };
    const hash = await launch(['--token=one', '/home/alice/x']);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await launch(['--token=two', '/home/alice/x'])).toBe(hash);
    expect(await launch(['--token=two', '~/x'], '.lmstudio/mcp.json')).toBe(hash);
    expect(await launch(['--token=one', '/home/alice/y'])).not.toBe(hash);
  });

  test('leaks no account name, whatever home it names', async () => {
    const root = makeFolder();
    const args = (home: string) => [`${home}/x`, '/home/bob/y', '/home/bobby/z', '--at=/home/bob'];
    plant(root, {
      'var/home/alice/.claude.json': {
        mcpServers: { one: npx('pkg', ...args('/home/alice')) },
        projects: { '/home/alice/far/away/in/p': {} },
      },
      'var/home/alice/.cursor/mcp.json': {
        mcpServers: { one: npx('pkg', ...args('/var/home/alice')) },
      },
      'var/home/alice/far/away/in/p/.mcp.json': { mcpServers: { far: npx('far') } },
      'etc/claude-code/managed-mcp.json': { mcpServers: { all: npx('all', '/home/alice/x') } },
    });
    const home = (owner: string, path: string) => ({
      owner,
      path: join(root, path),
      uid: null,
      gid: null,
    });
    const homes = [
      { ...home('1001', 'var/home/alice'), alias: join(root, 'home/alice') },
      home('1002', 'home/bob'),
    ];
    const result = await scanTree([mcpConfig], root, { homes });
    const found = byName(result);
    expect([...found.keys()].sort()).toEqual(['all', 'far', 'pkg']);
    expect(configured(found.get('pkg')).map((server) => server.args)).toEqual([
      ['-y', 'pkg', '~/x', '~1002/y', '/home/bobby/z', '--at=~1002'],
      ['-y', 'pkg', '~/x', '~1002/y', '/home/bobby/z', '--at=~1002'],
    ]);
    expect(configured(found.get('all'))[0]?.args).toEqual(['-y', 'all', '~1001/x']);
    const hashes = found.get('pkg')?.instances?.map((instance) => instance.launch_hash);
    expect(new Set(hashes).size).toBe(1);
    expect(JSON.stringify(result.entities.map((entity) => entity.wire))).not.toContain('alice');
  });

  test('reports a broken or hostile configuration, and finds the servers of others', async () => {
    const root = makeFolder();
    plant(root, {
      [`${HOME}/.cursor/mcp.json`]:
        '{"mcpServers": {"a": {"command": "npx" "args": "sk-planted-secret"',
      [`${HOME}/.gemini/settings.json`]: { mcpServers: { good: npx('good') } },
      [`${HOME}/.codeium/windsurf/mcp_config.json`]: 'x'.repeat(5 * 1024 * 1024),
      [`${HOME}/.kiro/settings/mcp.json`]:
        '{"__proto__": {"x": 1}, "mcpServers": {"__proto__": {"command": "npx"}, "n": 5, "l": []}}',
      [`${HOME}/.config/goose/config.yaml`]: 'extensions: &a [*a, {',
    });
    mkdirSync(join(root, HOME, '.lmstudio'), { recursive: true });
    execFileSync('mkfifo', [join(root, HOME, '.lmstudio/mcp.json')]);
    mkdirSync(join(root, HOME, '.copilot'), { recursive: true });
    symlinkSync('/etc/shadow', join(root, HOME, '.copilot/mcp-config.json'));
    symlinkSync('/etc', join(root, HOME, '.junie'));
    const { entities, coverage, problems } = await scanTree([mcpConfig], root, {
      people: ['alice'],
    });
    // A runner without a package is a server all the same.
    expect(entities.map((e) => e.wire.name).sort()).toEqual(['good', 'npx']);
    expect(Object.fromEntries(problems.map((p) => [p.path, p.reason]))).toMatchObject({
      '~/.cursor/mcp.json': 'it does not parse: line 1',
      '~/.codeium/windsurf/mcp_config.json': 'larger than 4194304 bytes',
      '~/.config/goose/config.yaml': expect.stringContaining('it does not parse'),
      '~/.lmstudio/mcp.json': 'not a regular file',
      '~/.copilot/mcp-config.json': 'a link leads out of the home',
    });
    expect(JSON.stringify(problems)).not.toContain('planted');
    expect(coverage.find((row) => row.owner === 'alice')?.state).toBe('unreadable');
  });

  test('reports a name that is not UTF-8 instead of its servers', async () => {
    const root = makeFolder();
    put(root, `${HOME}/src/.keep`);
    const odd = Buffer.concat([Buffer.from(join(root, HOME, 'src/caf')), Buffer.from([0xe9])]);
    mkdirSync(odd);
    writeFileSync(Buffer.concat([odd, Buffer.from('/.mcp.json')]), '{}');
    const { coverage, problems } = await scanTree([mcpConfig], root, { people: ['alice'] });
    expect(problems).toEqual([
      { source: 'mcp_config', path: '~/src/caf\ufffd', reason: 'its name is not UTF-8' },
    ]);
    expect(coverage[1]).toMatchObject({ owner: 'alice', state: 'read' });
  });

  test.each([
    ['.cursor/mcp.json', '[]'],
    ['.cursor/mcp.json', 'null'],
    ['.claude.json', '"text"'],
    ['.config/goose/config.yaml', '- a list'],
  ])(
    'reports a source without an object as unparsed, never empty: %s with %s',
    async (file, text) => {
      const root = makeFolder();
      put(root, `${HOME}/${file}`, text);
      const { coverage, problems } = await scanTree([mcpConfig], root, { people: ['alice'] });
      expect(coverage[1]).toMatchObject({ owner: 'alice', state: 'unparsed', entities: 0 });
      expect(problems).toEqual([{ source: 'mcp_config', path: `~/${file}`, reason: 'no object' }]);
    },
  );

  test('reports a source as unparsed, never empty, when its only content does not parse', async () => {
    const root = makeFolder();
    put(root, `${HOME}/.cursor/mcp.json`, '{');
    put(root, `${HOME}/.gemini/settings.json`, ' \n');
    const { coverage } = await scanTree([mcpConfig], root, { people: ['alice'] });
    expect(coverage[1]).toMatchObject({ owner: 'alice', state: 'unparsed', entities: 0 });
  });

  test('leaves homes alone that the company excludes', async () => {
    const root = makeFolder();
    plant(root, { [`${HOME}/.cursor/mcp.json`]: { mcpServers: { a: npx('a') } } });
    const settings = { personalHomes: false, browserProfiles: true };
    const { entities, coverage } = await scanTree([mcpConfig], root, {
      people: ['alice'],
      settings,
    });
    expect(entities).toEqual([]);
    expect(coverage[1]).toMatchObject({ owner: 'alice', state: 'skipped' });
  });
});
