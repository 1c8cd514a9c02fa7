// Every source reads test machines of its platforms; then the same homes with hostile content, file by file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entityId } from '@gatewarden/shared/identity.ts';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { BASH_RPM, makeNdb, makeRpmHeader } from '../../../test/formats.ts';
import { makeLinux, makeMac, makeWindows } from '../../../test/machines.ts';
import { byName, plant, put, scanTree } from '../../../test/trees.ts';
import type { ScanResult } from '../scan/entity-assembler.ts';
import { SOURCES } from './index.ts';
import { rpm } from './rpm.ts';

const SID = 'S-1-5-21-1-2-3-1001';

/** `name version` of what each source found. */
function foundBy(result: ScanResult): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { wire } of result.entities) {
    const list = found[wire.source] ?? [];
    found[wire.source] = list;
    list.push(`${wire.name} ${wire.version ?? '-'}`);
  }
  for (const list of Object.values(found)) list.sort();
  return found;
}

const EXTENSIONS = ['Own 1', 'Shopping Helper 10.0'];
const EVERYWHERE = {
  ai_permissions: ['Claude Code permission mode -'],
  emacs: ['magit 3.3.0'],
  instruction_file: ['AGENTS.md -', 'CLAUDE.md -', 'Cursor rules -'],
  skill: ['plain -', 'write-reports -'],
  vim: ['vim-fugitive -'],
};

describe('test machine', () => {
  test('lists the software of Linux', async () => {
    const root = makeFolder();
    makeLinux(root);
    mkdirSync(join(root, 'home/alice/.local/bin'), { recursive: true });
    symlinkSync('../share/claude/versions/2.0.11', join(root, 'home/alice/.local/bin/claude'));
    symlinkSync('/usr/bin/env', join(root, 'home/alice/.local/bin/gemini'));
    const result = await scanTree(SOURCES, root, { people: ['alice'] });
    expect(result.problems.map((p) => `${p.source} ${p.path} ${p.reason}`)).toEqual([
      'firefox ~/.mozilla/firefox/profiles.ini a profile outside of the home',
    ]);
    expect(foundBy(result)).toEqual({
      ...EVERYWHERE,
      ai_cli: ['Claude Code 2.0.11', 'Codex CLI -', 'Gemini CLI -'],
      apk: ['busybox 1.36', 'musl 1.2.5-r0'],
      chrome: EXTENSIONS,
      chromium: EXTENSIONS,
      firefox: ['uBlock Origin 1.60.0'],
      flatpak: ['GIMP 3.0.4', 'Own -'],
      homebrew: ['jq 1.10.0'],
      jetbrains: ['Acme & Co 2.10'],
      model_server: ['Ollama -'],
      neovim: ['telescope.nvim -'],
      nix: ['ripgrep 14.1.0'],
      npm: ['@acme/tool 1.0.0', '@anthropic-ai/claude-code 2.0.10', 'npm 10.0.0'],
      pacman: ['zlib 1:1.3.1-2'],
      python: ['Some.Pkg 2.0', 'aider_chat 0.80.0', 'requests 2.31.0'],
      rpm: ['bash 1:5.2.26-3.fc40'],
      snap: ['core 16', 'firefox 140.0'],
      sublime: ['Terminus 0.3.1'],
      vscode: ['Acme Tool 3.0.0', 'GitHub.copilot 1.250.0', 'ms-python.python 2025.1.0'],
      zed: ['HTML 0.1.4'],
    });
    const found = byName(result);
    expect(found.get('bash')).toMatchObject({
      publisher: 'Fedora Project',
      executables: ['/usr/bin/bash'],
      installed_at: '2023-11-14T22:13:20.000Z',
    });
    // A person's link makes no program of the machine an assistant.
    expect(found.get('Gemini CLI')?.executables).toEqual([]);
    expect(found.get('Claude Code')).toMatchObject({
      executables: ['~/.local/share/claude/versions/2.0.11'],
      instances: [{ owner: 'alice', path: '~/.local/bin/claude' }],
    });
    expect(found.get('Acme & Co')?.instances?.map((instance) => instance.version)).toEqual([
      '2.9',
      '2.10',
    ]);
    // Its manifest lies where its developer works on it, outside of the profile.
    expect(found.get('Own')?.instances?.[0]).toMatchObject({
      path: '~/dev/own',
      permissions: ['cookies', 'https://bank.example/*'],
    });
    expect(found.get('uBlock Origin')?.instances).toHaveLength(2);
    expect(found.get('uBlock Origin')?.instances?.[0]?.permissions).toEqual(['<all_urls>', 'tabs']);
    expect(found.get('CLAUDE.md')?.details).toMatchObject({ files: [{ hidden_characters: 1 }] });
    expect(found.get('write-reports')?.launch_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(found.get('Claude Code permission mode')?.instances?.[0]?.permissions).toEqual([
      'permissions.defaultMode=bypassPermissions',
    ]);
    expect(JSON.stringify(result.entities.map((e) => e.wire))).not.toContain('/home/alice');
  });

  test('lists the software of macOS without helpers inside of bundles', async () => {
    const root = makeFolder();
    makeMac(root);
    const result = await scanTree(SOURCES, root, { platform: 'darwin', people: ['alice'] });
    expect(result.problems).toEqual([]);
    expect(foundBy(result)).toEqual({
      ...EVERYWHERE,
      app_bundle: ['Acme 10.0', 'Tool 1.2'],
      arc: EXTENSIONS,
      chrome: EXTENSIONS,
      firefox: ['uBlock Origin 1.60.0'],
      homebrew: ['firefox 140.0', 'jq 1.7.1'],
      jetbrains: ['Acme & Co 2.10'],
      npm: ['opencode-ai 0.5'],
      python: ['six 1.16.0'],
      safari: ['com.acme.blocker.extension -'],
      vscode: ['Acme Tool 3.0.0', 'GitHub.copilot 1.250.0'],
      zed: ['html 0.1.4'],
      zen: ['uBlock Origin 1.60.0'],
    });
    const acme = byName(result).get('Acme');
    expect(acme?.entity_id).toBe(entityId('darwin', 'application', 'app_bundle', 'com.acme.app'));
    expect(acme?.instances?.map((instance) => instance.version)).toEqual(['9.0', '10.0']);
  });

  test('lists the software of Windows from registry exports', async () => {
    const root = makeFolder();
    makeWindows(root, SID);
    const result = await scanTree(SOURCES, root, { platform: 'win32', people: [SID] });
    expect(result.problems).toEqual([]);
    expect(foundBy(result)).toEqual({
      ...EVERYWHERE,
      ai_cli: ['Claude Code -'],
      appx: ['ChatGPT 1.2025.1.0', 'Microsoft.WindowsCalculator 11.2405.2.0'],
      chrome: EXTENSIONS,
      firefox: ['uBlock Origin 1.60.0'],
      jetbrains: ['Acme & Co 2.10'],
      npm: ['@openai/codex 0.40.0', 'npm 10.0.0'],
      opera: EXTENSIONS,
      python: ['rich 13.0'],
      registry_uninstall: [
        '7-Zip 24.08 (x64) 24.08',
        'Cursor (User) 1.7.2',
        'Müller Büro 2.0',
        'Old Tool -',
      ],
      vscode: ['Acme Tool 3.0.0', 'GitHub.copilot 1.250.0'],
      zed: ['html 0.1.4'],
    });
    const found = byName(result);
    const idOf = (key: string) => entityId('win32', 'application', 'registry_uninstall', key);
    expect(found.get('Müller Büro')?.entity_id).toBe(
      idOf('{AABBBBBB-CCCC-DDDD-EEEE-FFFFFFFFFFFF}'),
    );
    expect(found.get('7-Zip 24.08 (x64)')).toMatchObject({
      entity_id: idOf('igor pavlov\n7-zip'),
      executables: ['C:\\Program Files\\7-Zip\\7zFM.exe'],
      install_path: 'C:\\Program Files\\7-Zip',
    });
  });
});

describe('hostile home', () => {
  const MAKERS = {
    linux: makeLinux,
    darwin: makeMac,
    win32: (root: string) => makeWindows(root, 'alice'),
  };
  const HOMES = { linux: 'home/alice', darwin: 'Users/alice', win32: 'Users/alice' };
  const TURNS: Record<string, (path: string) => void> = {
    FIFOs: (path) => execFileSync('mkfifo', [path]),
    'links out': (path) => symlinkSync('/etc/shadow', path),
    folders: (path) => mkdirSync(path),
    'binary noise': (path) =>
      writeFileSync(path, Buffer.from([0, 255, 254, 10, 128, 0, 80, 75, 3, 4, 91, 123])),
    'unfinished JSON with a secret': (path) =>
      writeFileSync(path, '{"planted-secret": [{"planted-secret'),
    'JSON of other shapes': (path) =>
      writeFileSync(path, '[[{"identifier":5,"extensions":[]}],null,"x"]'),
    'deep nesting': (path) => writeFileSync(path, '['.repeat(200_000)),
    'large files': (path) => writeFileSync(path, ' '.repeat(5_000_000)),
    'links round': (path) => symlinkSync(dirname(path), path),
  };
  const cases = (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
    Object.keys(TURNS).map((turn) => [platform, turn] as const),
  );

  test.each(cases)('survives %s full of %s without a leak', async (platform, turn) => {
    const root = makeFolder();
    MAKERS[platform](root);
    const home = join(root, HOMES[platform]);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((dirent) =>
      dirent.isFile(),
    );
    for (const file of files) {
      rmSync(join(file.parentPath, file.name));
      TURNS[turn]?.(join(file.parentPath, file.name));
    }
    const { coverage, problems, entities } = await scanTree(SOURCES, root, {
      platform,
      people: ['alice'],
    });
    const all = JSON.stringify({ problems, entities });
    expect(all).not.toMatch(/planted-secret|root:/);
    // Whatever the home does, the machine is read.
    const machine = coverage.filter((row) => row.owner === null).map((row) => row.state);
    expect(machine.every((state) => state === 'read' || state === 'absent')).toBe(true);
    // A failed read is never reported as read and empty.
    if (/FIFO|links out|unfinished/.test(turn)) {
      for (const source of ['vscode', 'firefox', 'chrome', 'zed', 'jetbrains']) {
        const row = coverage.find((row) => row.source === source && row.owner === 'alice');
        expect(row?.state, source).toMatch(/unreadable|unparsed/);
      }
    }
  });
});

describe('RPM database', () => {
  test('reads the database of SUSE, and reports a damaged database', async () => {
    const root = makeFolder();
    put(
      root,
      'usr/lib/sysimage/rpm/Packages.db',
      makeNdb([
        BASH_RPM,
        makeRpmHeader([
          [1000, 'text', 'gpg-pubkey'],
          [1001, 'text', '1'],
        ]),
      ]),
    );
    const good = await scanTree([rpm], root);
    expect([...byName(good).keys()]).toEqual(['bash']);
    for (const damaged of [
      'x',
      makeNdb([BASH_RPM.subarray(0, 90)]),
      makeNdb([BASH_RPM]).subarray(0, 4200),
    ]) {
      put(root, 'usr/lib/sysimage/rpm/Packages.db', damaged);
      expect((await scanTree([rpm], root)).coverage[0]).toMatchObject({
        state: 'unparsed',
        entities: 0,
      });
    }
  });

  test('reports an unreadable database as unparsed, not empty', async () => {
    const root = makeFolder();
    plant(root, { 'var/lib/rpm/Packages': 'Berkeley' });
    expect((await scanTree([rpm], root)).coverage[0]?.state).toBe('unparsed');
    const other = makeFolder();
    plant(other, { 'var/lib/rpm/rpmdb.sqlite': 'not SQLite' });
    expect((await scanTree([rpm], other)).coverage[0]?.state).toBe('unparsed');
  });
});
