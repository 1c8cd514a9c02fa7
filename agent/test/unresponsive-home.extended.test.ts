// A home on a file system that never answers blocks nothing: the agent continues to enforce, sync and answer, and
// reports the home.
import { spawn } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  startHarmless,
  until,
  writeConfig,
} from './agent-process.ts';
import { canHang, mountHanging } from './hanging-mount.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';
import { bindOwnMachine, PERSON } from './own-machine.ts';
import { isRoot } from './root.ts';

const AWAY = PERSON + 1;

const server = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: name } } });

/** Two users: a local home, and a home that may stop responding. */
function bindTwoPeople() {
  const here = bindOwnMachine();
  const away = '/home/gw-away';
  appendFileSync('/etc/passwd', `gw-away:x:${AWAY}:${AWAY}::${away}:/bin/sh\n`);
  for (const [home, uid] of [
    [here, PERSON],
    [away, AWAY],
  ] as const) {
    const file = join(home, '.cursor/mcp.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, server(`gw-of-${uid}`));
    for (const path of [home, dirname(file), file]) chownSync(path, uid, uid);
  }
  return { here, away };
}

const coverageOf = (hub: HubDouble, owner: number) =>
  hub.batches
    .flatMap((batch) => batch.scan.coverage ?? [])
    .filter((batch) => batch.owner === String(owner) && batch.source === 'mcp_config')
    .map((batch) => batch.state);

/** Starts a new program, and awaits its end and the report of it. */
async function expectEnforcing(hub: HubDouble, name: string) {
  hub.overrides.push(makeOverride({ match: { name }, revision: hub.overrides.length + 1 }));
  const program = startHarmless(makeFolder(), name);
  await until(() => hasEnded(program));
  await until(() => hub.alerts.some((alert) => alert.process?.name === name));
}

const isAnswering = async (dataDir: string) => {
  const { code, stdout } = await runCommand(['status', '--json', '--data-dir', dataDir]);
  expect(code).toBe(0);
  return JSON.parse(stdout).hub.reachable === true;
};

inOwnNamespace(import.meta.filename, () => {
  test.runIf(isRoot && canHang)(
    'reports a home that is unresponsive at start, and reads the other homes',
    async () => {
      const { away } = bindTwoPeople();
      const end = mountHanging(away);
      const hub = await startHubDouble();
      const dataDir = makeFolder();
      writeConfig(dataDir, hub.url);
      const agent = await startAgent(dataDir);
      await expectEnforcing(hub, 'gw-first');
      await until(() => coverageOf(hub, PERSON).includes('read'));
      expect(coverageOf(hub, AWAY)).toEqual(['timed_out']);
      expect(JSON.stringify(hub.batches)).toContain(`gw-of-${PERSON}`);
      await until(() => isAnswering(dataDir));
      expect(await agent.end('SIGTERM')).toBe(0);
      end();
      await hub.close();
    },
  );

  test.runIf(isRoot && canHang)(
    'continues when a home with a waiting program becomes unresponsive',
    async () => {
      const { away } = bindTwoPeople();
      const hub = await startHubDouble();
      const dataDir = makeFolder();
      writeConfig(dataDir, hub.url);
      const agent = await startAgent(dataDir);
      await until(() => coverageOf(hub, AWAY).includes('read'));
      const end = mountHanging(away);
      // Its interpreter waits for a script that never comes, and its words name it.
      const script = spawn(process.execPath, [join(away, 'daily.js')], {
        stdio: 'ignore',
        cwd: '/',
      });
      onTestFinished(() => {
        script.kill('SIGKILL');
      });
      // The agent lists the homes again when a user starts a first process.
      const stranger = spawn('sleep', ['600'], { uid: AWAY + 1, stdio: 'ignore', cwd: '/' });
      onTestFinished(() => {
        stranger.kill('SIGKILL');
      });
      await expectEnforcing(hub, 'gw-second');
      await until(() => isAnswering(dataDir));
      hub.epoch = 'epoch-2';
      await until(() => coverageOf(hub, AWAY).includes('timed_out'));
      // The agent reports no app of the unresponsive home as removed.
      const gone = hub.batches.flatMap((batch) => batch.entities).filter((batch) => batch.removed);
      expect(gone.map((entity) => entity.name)).not.toContain(`gw-of-${AWAY}`);
      await expectEnforcing(hub, 'gw-third');

      end();
      hub.epoch = 'epoch-3';
      await until(() => coverageOf(hub, AWAY).at(-1) === 'read');
      expect(await agent.end('SIGTERM')).toBe(0);
      expect(hub.violations).toEqual([]);
      await hub.close();
    },
  );

  test.runIf(isRoot && canHang)(
    'reads the rest of a home around an unresponsive folder',
    async () => {
      const { here } = bindTwoPeople();
      const remote = join(here, 'projects/remote');
      mkdirSync(remote, { recursive: true });
      writeFileSync(join(here, 'projects/CLAUDE.md'), 'plain');
      for (const path of [dirname(remote), remote]) chownSync(path, PERSON, PERSON);
      const end = mountHanging(remote);
      const { code, stdout } = await runCommand(['scan', '--json', '--data-dir', makeFolder()]);
      end();
      expect(code).toBe(0);
      const { entities, problems } = JSON.parse(stdout);
      expect(entities.map((entity: { name: string }) => entity.name)).toContain(`gw-of-${PERSON}`);
      const problemLines = problems.map(
        ({ path, reason }: Record<string, string>) => `${path}: ${reason}`,
      );
      expect(problemLines).toContain('~/projects/remote: its file system does not answer');
      expect(problemLines.filter((line: string) => line.endsWith('out of time'))).toEqual([]);
    },
  );
});
