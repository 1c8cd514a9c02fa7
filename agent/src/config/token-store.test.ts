// Tokens are stored in a file that only its owner can read where no keychain exists.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { fileTokens, openTokenStore } from './token-store.ts';

test.runIf(process.platform === 'linux')(
  'falls back to the file without a session bus',
  async () => {
    const place = await openTokenStore(makeFolder(), {
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    });
    expect(place.where).toBe('file');
  },
);

test('stores, replaces and deletes tokens', async () => {
  const folder = makeFolder();
  const place = fileTokens(folder);
  await place.write('agent_token', 'first');
  await place.write('device_token', 'two');
  await place.write('agent_token', null);
  expect(await fileTokens(folder).read('agent_token')).toBeNull();
  expect(await fileTokens(folder).read('device_token')).toBe('two');
  expect(statSync(join(folder, 'tokens.json')).mode & 0o777).toBe(0o600);
});

test('reports damage without quoting it, and recovers at the next enrollment', async () => {
  const folder = makeFolder();
  const place = fileTokens(folder);
  for (const damage of ['{"agent_token":"planted"x', 'null', '["planted"]', '{"agent_token":1}']) {
    writeFileSync(join(folder, 'tokens.json'), damage);
    await expect(place.read('agent_token')).rejects.toThrow(
      /tokens\.json is damaged: enroll again$/,
    );
  }
  await place.write('agent_token', 'new');
  expect(await place.read('agent_token')).toBe('new');
});
