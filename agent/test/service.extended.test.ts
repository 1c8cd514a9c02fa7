// The service runs end to end against a small hub: inventory, overrides, alerts over kill -9, a single instance,
// orderly shutdown.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  startHarmless,
  TENANT,
  until,
  writeConfig,
} from './agent-process.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';

function installedPackages(): string[] {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own format
  const text = execFileSync('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n'], {
    encoding: 'utf8',
  });
  return text
    .split('\n')
    .filter((line) => line.endsWith(' installed'))
    .map((line) => line.slice(0, -' installed'.length))
    .sort();
}

function fullScanIsThere(hub: HubDouble): boolean {
  const last = hub.batches.findLast((b) => b.scan.kind === 'full');
  if (last === undefined) return false;
  const same = hub.batches.filter((b) => b.scan.scan_id === last.scan.scan_id);
  return same.length === last.scan.batches;
}

inOwnNamespace(import.meta.filename, () => {
  test.runIf(existsSync('/usr/bin/dpkg-query'))(
    'sends the whole inventory at each start and epoch, and nothing without a change',
    async () => {
      const hub = await startHubDouble();
      const dataDir = makeFolder();
      writeConfig(dataDir, hub.url);
      const agent = await startAgent(dataDir);
      await until(() => fullScanIsThere(hub));
      const entities = hub.batches.flatMap((b) => b.entities);
      expect(
        entities
          .filter((e) => e.source === 'dpkg')
          .map((e) => e.name)
          .sort(),
      ).toEqual(installedPackages());
      expect(hub.batches.every((b) => b.entities.length <= 50)).toBe(true);
      expect(hub.batches.at(-1)?.scan.coverage?.map((c) => c.source)).toContain('dpkg');
      expect(hub.violations).toEqual([]);
      const push = hub.seen.find((r) => r.path.endsWith('/discovered-apps'));
      expect(push?.headers).toMatchObject({
        authorization: 'Bearer device-token',
        'x-tenant-id': TENANT,
        'x-subscriber-id': 'alice@example.org',
        'content-encoding': 'gzip',
      });
      expect(readFileSync(join(dataDir, 'agent.toml'), 'utf8')).not.toContain('agent-token');
      expect(statSync(join(dataDir, 'tokens.json')).mode & 0o777).toBe(0o600);

      const first = hub.batches.length;
      expect(await agent.end('SIGTERM')).toBe(0);
      const again = await startAgent(dataDir);
      await until(() => hub.batches.length > first && fullScanIsThere(hub));
      expect(hub.batches.slice(first).flatMap((b) => b.entities)).toEqual(entities);
      const sent = hub.batches.length;
      const polls = hub.seen.length;
      await until(() => hub.seen.length > polls + 3);
      expect(hub.batches.length).toBe(sent);
      const lastPoll = hub.seen.findLast((r) => r.path.endsWith('/delta'));
      expect(lastPoll?.query.get('inventory')).toMatch(/^[0-9a-f]{64}$/);

      hub.epoch = 'epoch-2';
      await until(() => hub.batches.length > sent && fullScanIsThere(hub));
      expect(hub.batches.at(-1)?.scan.seq).toBeGreaterThan(hub.batches[0]?.scan.seq ?? 0);
      expect(await again.end('SIGTERM')).toBe(0);
      await hub.close();
    },
  );

  test('aborts a request at shutdown without logging an error', async () => {
    const paths: string[] = [];
    const silent = createServer((request) => paths.push(request.url ?? ''));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const dataDir = makeFolder();
    writeConfig(dataDir, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const agent = await startAgent(dataDir);
    await until(() => paths.length > 0);
    expect(await agent.end('SIGTERM')).toBe(0);
    expect(agent.log()).toContain('"msg":"stopped"');
    expect(agent.log()).not.toMatch(/aborted|does not answer/);
    silent.closeAllConnections();
    silent.close();
  });

  test('terminates a blocked program and each restart of it, and reports every termination once', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    const running = startHarmless(dataDir, 'gw-demo');
    const override = makeOverride({ match: { name: 'gw-demo' } });
    await startAgent(dataDir);
    await until(() => hub.seen.some((r) => r.path.endsWith('/delta')));
    hub.overrides.push(override);
    await until(() => hasEnded(running) && hub.activity.length > 0 && hub.alerts.length > 0);
    expect(hub.activity[0]).toMatchObject({
      decision: 'block',
      outcome: 'terminated',
      enforced: true,
      override_id: override.override_id,
      process: { name: 'gw-demo', pid: running.pid },
    });
    expect(hub.alerts[0]).toMatchObject({ severity: 'high', action: 'block', queued: false });

    const second = startHarmless(dataDir, 'gw-demo');
    await until(() => hasEnded(second) && hub.alerts.length === 2);
    expect(hub.alerts.length).toBe(2);
    expect(hub.violations).toEqual([]);
    await hub.close();
  });

  test('reports without enforcing in monitor mode, under the ceiling and behind the kill switch', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    hub.ceiling = 'monitor';
    hub.overrides.push(makeOverride({ match: { name: 'gw-demo' } }));
    const running = startHarmless(dataDir, 'gw-demo');
    await startAgent(dataDir);
    await until(() => hub.activity.length > 0);
    expect(hub.activity[0]).toMatchObject({
      decision: 'block',
      outcome: 'reported',
      enforced: false,
    });
    expect((await runCommand(['off', '--data-dir', dataDir, '--json'])).code).toBe(0);
    hub.ceiling = 'enforce';
    await until(() => hub.alerts.some((a) => a.code === 'kill_switch'));
    const status = await runCommand(['status', '--data-dir', dataDir, '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({
      enforcement: 'off',
      limited_by: ['kill_switch'],
      overrides: 1,
      breaker: 'closed',
    });
    expect(hasEnded(running)).toBe(false);
    expect((await runCommand(['on', '--data-dir', dataDir])).code).toBe(0);
    await until(() => hasEnded(running));
    await hub.close();
  });

  test('keeps an alert over kill -9 while the hub is away, and delivers it once', async () => {
    const hub = await startHubDouble();
    const port = Number(new URL(hub.url).port);
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    hub.overrides.push(makeOverride({ match: { name: 'gw-demo' } }));
    const agent = await startAgent(dataDir);
    await until(() => agent.log().includes('the hub answers'));
    await hub.close();
    const running = startHarmless(dataDir, 'gw-demo');
    await until(() => hasEnded(running));
    await until(async () => {
      const queue = await runCommand(['queue', '--data-dir', dataDir, '--json']);
      return JSON.parse(queue.stdout).alerts.length === 1;
    });
    await agent.end('SIGKILL');

    const back = await startHubDouble(port);
    const again = await startAgent(dataDir);
    await until(() => back.alerts.length > 0);
    await until(async () => {
      const status = await runCommand(['status', '--data-dir', dataDir, '--json']);
      return JSON.parse(status.stdout).alerts_queued === 0;
    });
    expect(back.alerts).toMatchObject([{ action: 'block', queued: true }]);
    expect(back.seen.filter((r) => r.path.endsWith('/alerts')).length).toBe(1);
    expect(back.violations).toEqual([]);
    expect(await again.end('SIGTERM')).toBe(0);
    await back.close();
  });

  test('reports a termination that a kill interrupted once, at the next start', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    const program = join(makeFolder(), 'gw-stubborn');
    copyFileSync('/usr/bin/perl', program);
    const script = '$SIG{TERM} = sub { print "asked" }; $| = 1; print "x"; sleep 600 while 1';
    const child = spawn(program, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    await once(child.stdout, 'data');
    hub.overrides = [makeOverride({ match: { name: 'gw-stubborn' } })];
    const first = await startAgent(dataDir);
    await once(child.stdout, 'data');
    await first.end('SIGKILL');
    child.kill('SIGKILL');
    await until(() => hasEnded(child));
    expect(hub.alerts).toEqual([]);
    for (let run = 0; run < 2; run++) {
      const next = await startAgent(dataDir);
      await until(() => hub.alerts.length > 0);
      await next.end('SIGTERM');
    }
    expect(hub.alerts.map((alert) => [alert.process?.pid, alert.outcome])).toEqual([
      [child.pid, 'terminated'],
    ]);
    await hub.close();
  });

  test('falls back to monitoring after repeated unexpected ends', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    for (let crashes = 0; crashes < 3; crashes++) {
      const agent = await startAgent(dataDir);
      await agent.end('SIGKILL');
    }
    hub.overrides.push(makeOverride({ match: { name: 'gw-looping' } }));
    const running = startHarmless(dataDir, 'gw-looping');
    const looping = await startAgent(dataDir);
    await until(() => hub.alerts.some((alert) => alert.code === 'crash_loop'));
    await looping.end('SIGKILL');
    await startAgent(dataDir);
    await until(() => hub.activity.length > 0);
    expect(hub.activity[0]).toMatchObject({ decision: 'block', outcome: 'reported' });
    const crashAlerts = hub.alerts.filter((alert) => alert.code === 'crash_loop');
    expect(new Set(crashAlerts.map((alert) => alert.alert_id)).size).toBe(1);
    const status = await runCommand(['status', '--data-dir', dataDir, '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({
      enforcement: 'monitor',
      limited_by: ['crash_loop'],
    });
    expect(hasEnded(running)).toBe(false);
    await hub.close();
  });

  test('runs a single instance per data folder, and leaves no lock behind a kill', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    const agent = await startAgent(dataDir);
    const second = await runCommand(['run', '--data-dir', dataDir]);
    expect(second.code).toBe(1);
    expect(second.stderr.trim().split('\n')).toEqual([`another agent already runs on ${dataDir}`]);
    await agent.end('SIGKILL');
    const third = await startAgent(dataDir);
    expect(await third.end('SIGINT')).toBe(0);
    await hub.close();
  });

  test.runIf(existsSync('/usr/bin/dpkg-query'))(
    'halves a refused batch and sets aside only entities that fail alone',
    async () => {
      const hub = await startHubDouble();
      const dataDir = makeFolder();
      writeConfig(dataDir, hub.url);
      hub.intercept = ({ path, body }) => {
        if (!path.endsWith('/discovered-apps')) return null;
        const { entities } = body as { entities: { name: string }[] };
        if (!entities.some((e) => e.name === 'dpkg')) return null;
        return {
          status: 400,
          body: { error: { code: 'invalid_body', message: '/entities/0' }, request_id: 'r' },
        };
      };
      await startAgent(dataDir);
      await until(() => fullScanIsThere(hub));
      const scanId = hub.batches.at(-1)?.scan.scan_id;
      const batches = hub.batches.filter((b) => b.scan.scan_id === scanId);
      const names = batches.flatMap((b) => b.entities).filter((e) => e.source === 'dpkg');
      expect(names.length).toBe(installedPackages().length - 1);
      const coverage = batches.at(-1)?.scan.coverage?.find((c) => c.source === 'dpkg');
      expect(coverage).toMatchObject({ state: 'unparsed' });
      await hub.close();
    },
  );
});
