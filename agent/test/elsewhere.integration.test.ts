// A script that a process of another mount namespace names is another one than what stands here under that name.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';
import { bindOwnMachine } from './own-machine.ts';

const isRoot =
  process.getuid?.() === 0 && readFileSync('/proc/self/uid_map', 'utf8').includes('4294967295');

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

const start = (command: string, ...words: string[]) => {
  const child = spawn(command, words, { stdio: 'ignore', cwd: '/' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
};

inOwnNamespace(import.meta.filename, () => {
  test.runIf(isRoot)('it stays, and one that ran here is held', async () => {
    const home = bindOwnMachine();
    const script = join(home, 'app/start.js');
    put(script, 'setInterval(() => {}, 1e6)');
    const entry = `[Desktop Entry]\nType=Application\nName=gw-scripted\nExec=${script}\n`;
    put(join(home, '.local/share/applications/gw-scripted.desktop'), entry);
    const node = join(makeFolder(), 'node');
    copyFileSync(process.execPath, node);
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    await startAgent(dataDir);
    const found = () =>
      hub.batches.flatMap((batch) => batch.entities).find((one) => one.name === 'gw-scripted');
    await until(() => found() !== undefined);
    const contained = start('unshare', '--mount', node, script);
    await until(() => readlinkSync(`/proc/${contained.pid}/exe`) === node);
    const { entity_id = '' } = found() ?? {};
    hub.overrides.push(makeOverride({ match: { entity_id }, execution_policy: 'quarantine' }));
    await until(() => hasEnded(contained) && hub.alerts.length === 1);
    expect(hub.alerts[0]?.outcome).toBe('terminated');
    expect(existsSync(script)).toBe(true);

    const here = start(node, script);
    await until(() => hasEnded(here) && !existsSync(script));
    const { stdout } = await runCommand(['quarantine', '--json', '--data-dir', dataDir]);
    expect(JSON.parse(stdout).quarantined).toMatchObject([{ kind: 'program', path: script }]);
    await hub.close();
  });
});
