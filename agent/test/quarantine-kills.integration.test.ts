// The agent is killed at random moments while the emergency stop changes: each quarantined or restored file exists byte
// for byte in quarantine or in place. `GATEWARDEN_KILLS` sets the number of kills.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';
import { bindOwnMachine, PERSON } from './own-machine.ts';
import { isRoot } from './root.ts';

const KILLS = Number(process.env.GATEWARDEN_KILLS ?? 3);
const MARK = 'gw-killed/killed.js';
const CONFIGURATIONS: Record<string, string> = {
  '.cursor/mcp.json': `{"mcpServers": {"a": {"command": "x"}, "mine": {"command": "node", "args": ["~/${MARK}"], "env": {"K": "s"}}}}`,
  '.config/Code/User/mcp.json': `\ufeff// top\r\n{\r\n  "servers": {\r\n    /* c */ "mine": { "command": "node", "args": ["~/${MARK}"] }, // mine\r\n    "b": {"command": "x"},\r\n  },\r\n}\r\n`,
  '.codex/config.toml': `model = "x" # m\n\n# about mine\n[mcp_servers.mine]\ncommand = "node" # c\nargs = ["~/${MARK}"]\n[mcp_servers.mine.env]\nK = "s"\n\n[mcp_servers.other]\ncommand = "x"\n`,
  '.continue/config.yaml': `name: x\nmcpServers:\n  # first\n  - name: mine\n    command: node\n    args: ["~/${MARK}"] # a\n  - name: other\n    command: x\nmodels: []\n`,
  '.config/goose/config.yaml': `extensions:\n  other: {cmd: x, type: stdio}\n  mine: # m\n    cmd: node\n    args:\n      - ~/${MARK}\n    envs: {K: s}\nend: true\n`,
};

function plantConfigurations(home: string): void {
  for (const [path, text] of Object.entries(CONFIGURATIONS)) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
    for (let at = file; at !== home; at = dirname(at)) chownSync(at, PERSON, PERSON);
  }
}

/** Returns for each configuration whether it is unchanged; any content but that or without the server fails. */
function lookAt(home: string): boolean[] {
  return Object.entries(CONFIGURATIONS).map(([path, text]) => {
    const file = join(home, path);
    const now = readFileSync(file, 'utf8');
    expect([now === text, now.includes(MARK)]).toEqual(
      now === text ? [true, true] : [false, false],
    );
    expect(lstatSync(file)).toMatchObject({ uid: PERSON, gid: PERSON });
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    return now === text;
  });
}

inOwnNamespace(import.meta.filename, () => {
  test.runIf(isRoot)(
    'keeps every file in quarantine or in place over repeated kills, and restores it unchanged',
    { timeout: 60_000 + KILLS * 15_000 },
    async () => {
      const home = bindOwnMachine();
      plantConfigurations(home);
      const program = join(makeFolder(), 'gw-killed-program');
      copyFileSync('/usr/bin/sleep', program);
      chmodSync(program, 0o750);
      const bytes = readFileSync(program, 'hex');
      const isThere = () => existsSync(program) && readFileSync(program, 'hex') === bytes;
      const hub = await startHubDouble();
      const dataDir = makeFolder();
      const config = writeConfig(dataDir, hub.url);
      const more = 'crash_limit = 0\nkills_per_minute = 1000\n';
      writeFileSync(config, readFileSync(config, 'utf8') + more);
      for (const name of ['gw-killed-program', 'node killed.js']) {
        hub.overrides.push(makeOverride({ match: { name }, execution_policy: 'quarantine' }));
      }
      let isOver = false;
      const stops = (async () => {
        while (!isOver) {
          await wait(500 + Math.random() * 2500);
          hub.ceiling = hub.ceiling === 'monitor' ? 'enforce' : 'monitor';
        }
      })();
      for (let kills = 1; kills <= KILLS; kills++) {
        const agent = await startAgent(dataDir);
        const running = isThere() ? spawn(program, ['600'], { stdio: 'ignore' }) : null;
        running?.on('error', () => undefined);
        await wait(300 + Math.random() * 3200);
        await agent.end('SIGKILL');
        lookAt(home);
        expect(existsSync(program)).toBe(isThere());
        running?.kill('SIGKILL');
        if (kills % 10 !== 0) continue;
        expect((await runCommand(['off', '--data-dir', dataDir])).code).toBe(0);
        expect([...lookAt(home), isThere()]).not.toContain(false);
        await runCommand(['on', '--data-dir', dataDir]);
      }
      isOver = true;
      await stops;
      hub.ceiling = 'monitor';
      await startAgent(dataDir);
      await until(() => isThere() && !lookAt(home).includes(false));
      // No temporary file is left beside them.
      const folders = Object.keys(CONFIGURATIONS).map((path) => dirname(join(home, path)));
      await until(() => folders.every((folder) => readdirSync(folder).length === 1));
      expect(hub.violations).toEqual([]);
      await hub.close();
    },
  );
});
