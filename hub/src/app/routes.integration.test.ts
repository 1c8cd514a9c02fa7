// Properties of all routes, and the routes of operators without a tenant.
import { expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub } from '../../../test/support/hub.ts';

test('accepts a content type on requests without a body', async () => {
  const hub = await startTestHub();
  const headers = { 'content-type': 'application/json' };
  try {
    const { group } = (await hub.console('POST', '/device-groups', { body: { name: 'G' } })).body;
    const path = `/device-groups/${group.group_id}/devices/${crypto.randomUUID()}`;
    expect((await hub.console('DELETE', path, { headers })).body.error.code).toBe('not_found');
    const refused = await hub.console('POST', '/device-groups', { headers });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_json']);
  } finally {
    await hub.stop();
  }
});

test('answers 404 for an absent file of the console', async () => {
  const hub = await startTestHub();
  try {
    for (const path of ['x.js', 'deep/er/x.css', 'favicon.gif', 'assets/x']) {
      const answer = await fetch(`${hub.url}/console/${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers.get('content-type')).toContain('application/json');
    }
    // The name of an app may end like a file.
    const app = await fetch(`${hub.url}/console/t/${hub.tenantId}/gateway/apps/my.js`);
    expect(app.status).not.toBe(404);
  } finally {
    await hub.stop();
  }
});

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
