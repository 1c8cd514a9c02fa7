// The scope of an agent, and the folders and pipes of each scope on Windows.
import { expect, test } from 'vitest';
import { socketPath } from '../local-api/socket-paths.ts';
import { configCandidates } from './agent-config.ts';
import { agentScope } from './agent-scope.ts';
import { defaultDataDir, windowsFolder } from './data-dir.ts';

const WINDOWS = { ProgramData: 'C:\\ProgramData', LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' };
const slashes = (path: string) => path.replaceAll('\\', '/');

test.each([
  ['win32', true, 'C:\\Program Files\\Gatewarden', 'machine'],
  ['win32', false, 'C:\\Program Files\\Gatewarden', 'machine'],
  ['win32', false, 'C:\\Users\\ada\\AppData\\Local\\Programs\\Gatewarden', 'user'],
  ['win32', false, 'D:\\Profiles\\ada\\appdata\\local\\Gatewarden\\versions\\1.2.3', 'user'],
  ['linux', true, '/usr/lib/gatewarden-agent', 'machine'],
  ['linux', false, '/usr/lib/gatewarden-agent', 'user'],
  ['darwin', false, '/Applications/Gatewarden.app', 'user'],
] as const)('derives the scope on %s (root: %s) in %s: %s', (platform, isRoot, program, scope) => {
  expect(agentScope(platform, { isRoot, program })).toBe(scope);
});

test("keeps configuration, data and updates of a Windows user's agent below the profile", () => {
  const dataDir = defaultDataDir(WINDOWS, 'win32', 'user');
  expect(slashes(dataDir)).toBe('C:/Users/ada/AppData/Local/Gatewarden');
  expect(windowsFolder(WINDOWS, 'user')).toBe(dataDir);
  const machine = defaultDataDir(WINDOWS, 'win32', 'machine');
  expect(slashes(machine)).toBe('C:/ProgramData/Gatewarden/agent');
});

test('separates the pipes of the agents of a machine and of two users on Windows', () => {
  const bob = { LOCALAPPDATA: 'C:\\Users\\bob\\AppData\\Local' };
  const folders = [
    defaultDataDir(WINDOWS, 'win32', 'machine'),
    defaultDataDir(WINDOWS, 'win32', 'user'),
    defaultDataDir(bob, 'win32', 'user'),
  ];
  const pipes = folders.flatMap((folder) =>
    (['status', 'control'] as const).map((kind) => socketPath(folder, kind, {}, 'win32')),
  );
  expect(new Set(pipes).size).toBe(6);
});

test('prefers the configuration that the environment names', () => {
  const hints = { dataDir: '/data', platform: 'linux' } as const;
  expect(configCandidates({ ...hints, env: { GATEWARDEN_AGENT_CONFIG: '/a.toml' } })).toEqual([
    { path: '/a.toml', required: true },
  ]);
  expect(configCandidates({ ...hints, env: {} }).map(({ path }) => path)).toEqual([
    '/data/agent.toml',
    '/etc/gatewarden/agent.toml',
  ]);
});
