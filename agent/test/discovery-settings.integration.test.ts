// Agents obey the company's discovery settings in everything they send, from the first contact on.
import { expect, test } from 'vitest';
import { makeFolder, runCommand, startAgent, until, writeConfig } from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';

test('sends nothing of a home when the company excludes homes', async () => {
  const hub = await startHubDouble();
  hub.discovery = { personal_homes: false };
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  const agent = await startAgent(dataDir);
  const coverage = () => hub.batches.flatMap((batch) => batch.scan.coverage ?? []);
  await until(() => coverage().length > 0);
  const ofHomes = coverage().filter((row) => row.owner !== null);
  expect(new Set(ofHomes.map((row) => row.state))).toEqual(new Set(['skipped']));
  const owners = hub.batches.flatMap((batch) =>
    batch.entities.flatMap((entity) => (entity.instances ?? []).map((instance) => instance.owner)),
  );
  expect(owners.filter((owner) => owner !== null)).toEqual([]);

  // The command that shows what would be sent obeys the same.
  const shown = JSON.parse((await runCommand(['scan', '--json', '--data-dir', dataDir])).stdout);
  const states = shown.coverage.flatMap((row: { owner: string | null; state: string }) =>
    row.owner === null ? [] : [row.state],
  );
  expect(new Set(states)).toEqual(new Set(['skipped']));

  hub.discovery = { personal_homes: true, browser_profiles: false };
  const skipped = () => hub.batches.findLast((batch) => batch.scan.coverage)?.scan.coverage ?? [];
  await until(() => skipped().some((row) => row.owner !== null && row.state !== 'skipped'));
  const stateOf = (source: string) =>
    new Set(
      skipped().flatMap((row) => (row.source === source && row.owner !== null ? [row.state] : [])),
    );
  expect(stateOf('chrome')).toEqual(new Set(['skipped']));
  expect(stateOf('mcp_config').has('skipped')).toBe(false);
  expect(hub.violations).toEqual([]);
  expect(await agent.end('SIGTERM')).toBe(0);
  await hub.close();
});
