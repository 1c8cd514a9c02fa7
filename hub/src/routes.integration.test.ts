// What an operator's tools reach without a tenant.
import { expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub } from '../../test/support/hub.ts';

test('metrics ask for the token where one is set, and for nothing else', async () => {
  const open = await startTestHub();
  try {
    expect((await fetch(`${open.url}/metrics`)).status).toBe(200);
  } finally {
    await open.stop();
  }
  const hub = await startTestHub({ ...hubConfig(await cloneDatabase()), metricsToken: 'm3trics' });
  const ask = async (authorization?: string) => {
    const answer = await fetch(
      `${hub.url}/metrics`,
      authorization === undefined ? {} : { headers: { authorization } },
    );
    return [answer.status, (await answer.text()).includes('# HELP ')];
  };
  try {
    expect(await ask()).toEqual([401, false]);
    expect(await ask('Bearer m3tric')).toEqual([401, false]);
    expect(await ask('Bearer m3trics')).toEqual([200, true]);
  } finally {
    await hub.stop();
  }
});
