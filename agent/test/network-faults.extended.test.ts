// The agent meets network faults: refused tokens, lost cursors, unexpected responses, a hub whose acknowledgments are
// lost, a parent process that ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import { expect, onTestFinished, test } from 'vitest';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  startAgent,
  startHarmless,
  until,
  writeConfig,
} from './agent-process.ts';
import { type SeenRequest, startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';

const refusal = (status: number, code: string) => ({
  status,
  body: { error: { code, message: code }, request_id: 'r' },
});

inOwnNamespace(import.meta.filename, () => {
  test('starts without a cursor when the hub forgot it, and reports what it has applied', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    const gone = makeOverride({ match: { name: 'gw-gone' }, revision: 1 });
    hub.overrides.push(gone);
    await startAgent(dataDir);
    const reportedDigest = (digest: string) =>
      hub.seen.some((r) => r.path.endsWith('/delta') && r.query.get('applied') === digest);
    await until(() => reportedDigest(appliedDigest([gone])));

    const kept = makeOverride({ match: { name: 'gw-kept' }, revision: 1 });
    hub.overrides.splice(0, 1, kept);
    let expired = false;
    hub.intercept = ({ path, query }) => {
      if (!path.endsWith('/delta') || !query.has('cursor') || expired) return null;
      expired = true;
      return refusal(410, 'cursor_expired');
    };
    await until(() => reportedDigest(appliedDigest([kept])));
    const spared = startHarmless(dataDir, 'gw-gone');
    const ended = startHarmless(dataDir, 'gw-kept');
    await until(() => hasEnded(ended));
    expect(hasEnded(spared)).toBe(false);
    await hub.close();
  });

  test('keeps enforcing and pushes nothing while its token is refused, and resumes with a valid token', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    hub.overrides.push(makeOverride({ match: { name: 'gw-demo' } }));
    await startAgent(dataDir);
    await until(() => hub.batches.some((b) => b.scan.coverage !== undefined));
    hub.intercept = () => refusal(401, 'invalid_agent_token');
    const from = hub.seen.length;
    const running = startHarmless(dataDir, 'gw-demo');
    await until(() => hasEnded(running));
    const polls = (r: SeenRequest) => r.path.endsWith('/delta');
    await until(() => hub.seen.slice(from).filter(polls).length >= 2);
    expect(hub.seen.slice(from).filter((r) => r.path.endsWith('/alerts')).length).toBeLessThan(2);
    hub.intercept = null;
    await until(() => hub.alerts.length === 1);
    expect(hub.alerts[0]).toMatchObject({ queued: true });
    await hub.close();
  });

  test('delivers alerts once when responses are lost and a captive portal answers for the hub', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    hub.overrides.push(makeOverride({ match: { name: 'gw-demo' } }));
    const tried = new Set<string>();
    hub.intercept = ({ path, body }) => {
      if (!path.endsWith('/alerts')) return null;
      const { alerts } = body as { alerts: { alert_id: string }[] };
      const first = alerts.some((a) => !tried.has(a.alert_id));
      for (const alert of alerts) tried.add(alert.alert_id);
      // Taken, and then a page of HTML instead of the answer.
      return first ? { status: 200, body: '<html>sign in</html>' } : null;
    };
    let agent = await startAgent(dataDir);
    for (let round = 0; round < 3; round++) {
      await until(() => agent.log().includes('the hub answers'));
      const running = startHarmless(dataDir, 'gw-demo');
      await until(() => hasEnded(running) && tried.size > round);
      await agent.end('SIGKILL');
      agent = await startAgent(dataDir);
    }
    await until(() => hub.alerts.length === 3);
    expect(new Set(hub.alerts.map((a) => a.alert_id)).size).toBe(3);
    expect(hub.violations).toEqual([]);
    await hub.close();
  });

  test('ends with its parent process', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    const main = join(import.meta.dirname, '../src/main.ts');
    const child = spawn(process.execPath, [main, 'run', '--data-dir', dataDir], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: '' },
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let log = '';
    child.stderr?.on('data', (chunk) => {
      log += chunk;
    });
    await until(() => log.includes('"event":"ready"'));
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
    await hub.close();
  });

  test('opens its breaker before a harmful override damages the machine', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    hub.overrides.push(makeOverride({ match: { name: 'gw-many' } }));
    const many = Array.from({ length: 25 }, () => startHarmless(makeFolder(), 'gw-many'));
    await startAgent(dataDir);
    await until(() => hub.alerts.some((a) => a.code === 'breaker_open'));
    await until(() => many.filter(hasEnded).length === 20);
    expect(hub.alerts.find((a) => a.code === 'breaker_open')).toMatchObject({
      severity: 'critical',
    });
    await until(() => hub.activity.filter((e) => e.outcome === 'reported').length >= 5);
    expect(many.filter(hasEnded).length).toBe(20);
    await hub.close();
  });
});
