// A script path inside another process root is another file than the same path on the host.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
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
import { isRoot } from './root.ts';

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
  test.runIf(isRoot)(
    'keeps a host script when a process in another root is blocked, and quarantines it when a host process runs it',
    async () => {
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
        hub.batches
          .flatMap((batch) => batch.entities)
          .find((batch) => batch.name === 'gw-scripted');
      await until(() => found() !== undefined);
      // The process has its own root, as in a container, with a Node and a script of the same names.
      const root = makeFolder();
      const program = `mount -t tmpfs none ${root} && cd ${root} && mkdir -p usr proc .${dirname(node)} .${dirname(script)} &&
      mount --rbind /usr usr && mount --rbind /proc proc && ln -s usr/lib lib && ln -s usr/lib64 lib64 && ln -s usr/bin bin &&
      cp ${node} .${node} && cp ${script} .${script} && exec chroot . ${node} ${script}`;
      const contained = start('unshare', '--mount', 'sh', '-c', program);
      await until(() => readFileSync(`/proc/${contained.pid}/cmdline`, 'utf8').startsWith(node));
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
    },
  );
});
