// Software that is installed or configured while the agent runs reaches the hub without a full scan; a start reports
// everything.
import { appendFileSync, chownSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, startAgent, until, writeConfig } from './agent-process.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';
import { bindOwnMachine, PERSON } from './own-machine.ts';
import { plant } from './trees.ts';

const PACKAGE = `
Package: gw-just-installed
Status: install ok installed
Maintainer: Somebody <s@example.org>
Architecture: all
Version: 1.0
`;
const CONFIG = '.cursor/mcp.json';

function found(hub: HubDouble, name: string) {
  return hub.batches.flatMap((b) => b.entities).findLast((entity) => entity.name === name);
}

function isWhole(hub: HubDouble, kind: 'full' | 'delta', from = 0): boolean {
  return hub.batches.slice(from).some((b) => b.scan.kind === kind && b.scan.coverage !== undefined);
}

inOwnNamespace(import.meta.filename, () => {
  test.runIf(process.getuid?.() === 0)('reports only changed entities', async () => {
    const home = bindOwnMachine();
    const configure = (servers: object) => {
      plant(home, { [CONFIG]: { mcpServers: servers } });
      for (const path of ['.cursor', CONFIG]) chownSync(join(home, path), PERSON, PERSON);
    };
    configure({ first: { command: 'npx', args: ['-y', 'gw-first'] } });
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    appendFileSync(writeConfig(dataDir, hub.url, 'monitor'), 'change_interval = "1s"\n');
    const agent = await startAgent(dataDir);
    await until(() => isWhole(hub, 'full'));
    expect(found(hub, 'gw-first')).toBeDefined();
    const all = hub.batches.flatMap((b) => b.entities).length;

    const from = hub.batches.length;
    appendFileSync('/var/lib/dpkg/status', PACKAGE);
    await until(() => found(hub, 'gw-just-installed') !== undefined);
    configure({ two: { command: 'npx', args: ['-y', 'gw-second'] } });
    await until(() => found(hub, 'gw-second') !== undefined);
    await until(() => found(hub, 'gw-first')?.removed === true);
    rmSync(join(home, CONFIG));
    await until(() => found(hub, 'gw-second')?.removed === true);
    // A project that begins while the agent runs: first its folder, later its configuration.
    const timesRead = () => agent.log().split('read again what changed').length;
    const timesBefore = timesRead();
    plant(home, { 'src/app/README.md': 'new' });
    for (const path of ['src', 'src/app']) chownSync(join(home, path), PERSON, PERSON);
    await until(() => timesRead() > timesBefore);
    plant(home, {
      'src/app/.mcp.json': { mcpServers: { three: { command: 'npx', args: ['gw-third'] } } },
    });
    await until(() => found(hub, 'gw-third') !== undefined);
    const batches = hub.batches.slice(from);
    expect(batches.every((b) => b.scan.kind === 'delta')).toBe(true);
    const words = batches.flatMap((b) => b.entities.map((e) => `${e.name} ${e.removed === true}`));
    expect(words.sort()).toEqual([
      'gw-first true',
      'gw-just-installed false',
      'gw-second false',
      'gw-second true',
      'gw-third false',
    ]);
    // Each names all of what was looked at, as the scan of everything did.
    const rows = hub.batches.find((b) => b.scan.coverage)?.scan.coverage?.length;
    expect(new Set(batches.map((b) => b.scan.coverage?.length))).toEqual(new Set([rows]));

    expect(await agent.end('SIGTERM')).toBe(0);
    const before = hub.batches.length;
    await startAgent(dataDir);
    await until(() => isWhole(hub, 'full', before));
    // A server is gone; a package and the project's server came.
    expect(hub.batches.slice(before).flatMap((b) => b.entities).length).toBe(all + 1);
    expect(hub.violations).toEqual([]);
    await hub.close();
  });
});
