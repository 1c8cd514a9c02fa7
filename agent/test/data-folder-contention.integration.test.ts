// Another process locks the data folder for a moment: a service or command that starts meanwhile waits, and reports no
// failure.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockDataDir } from '../src/store/store-database.ts';
import { MAIN, makeFolder, runCommand, startAgent, until, writeConfig } from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';

function begin(args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output: () => output, ended };
}

test('waits at service start while a command locks the folder, then runs', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  const command = lockDataDir(dataDir);
  const agent = begin(['run', '--data-dir', dataDir]);
  await until(() => agent.output() !== '');
  expect(agent.output()).toBe(`waiting for another process that uses ${dataDir}\n`);
  command.release();
  await until(() => agent.output().includes('"event":"ready"'));
  agent.child.kill('SIGTERM');
  expect(await agent.ended).toBe(0);
  await hub.close();
});

test('records "off" while a service is starting, and confirms once the service answers', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  const starting = lockDataDir(dataDir);
  const off = begin(['off', '--data-dir', dataDir]);
  await until(() => off.output() !== '');
  expect(existsSync(join(dataDir, 'kill-switch'))).toBe(true);
  starting.release();
  const agent = await startAgent(dataDir);
  expect(await off.ended).toBe(0);
  const { stdout } = await runCommand(['status', '--json', '--data-dir', dataDir]);
  expect(JSON.parse(stdout)).toMatchObject({ enforcement: 'off' });
  expect(await agent.end('SIGTERM')).toBe(0);
  await hub.close();
});
