// Lists of prompts return whole contents in bounded pages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { makeApp, manage } from '../../../../../test/support/management.ts';

let hub: TestHub;

beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

test('ends a page of large prompts early, and returns all prompts over the pages', async () => {
  const api = await manage(hub);
  let version = (await makeApp(api, 'wordy')).body.app.version;
  const contents = new Map<string, string>();
  for (let i = 0; i < 9; i++) {
    const content = String(i).repeat(i === 4 ? 5 : 1_000_000);
    contents.set(`p${i}`, content);
    const stored = await api.call('PUT', `/apps/wordy/prompts/p${i}`, {
      ifMatch: version,
      body: { content },
    });
    version = stored.body.app_version;
  }
  const sizes: number[] = [];
  const listed = new Map<string, string>();
  let cursor = '';
  do {
    const { body } = await api.call('GET', `/apps/wordy/prompts?limit=200${cursor}`);
    sizes.push(body.items.length);
    for (const prompt of body.items) listed.set(prompt.prompt_id, prompt.content);
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(sizes).toEqual([5, 4]);
  expect(listed).toEqual(contents);
  const first = await api.call('GET', '/apps/wordy/prompts?limit=2');
  expect(first.body.items).toHaveLength(2);
});
