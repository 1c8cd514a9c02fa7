// Events that the hub sends to an open page.
import { expect } from 'vitest';
import type { TestHub } from './hub.ts';

/** Listens to a page's events; `path` begins with the tenant. */
export async function hears(hub: Pick<TestHub, 'url'>, path: string, token: string) {
  const ended = new AbortController();
  const answer = await fetch(`${hub.url}/console/api/v1/tenants/${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ended.signal,
  });
  let received = '';
  const reading = (async () => {
    for await (const part of answer.body ?? []) received += Buffer.from(part).toString();
  })().catch(() => undefined);
  await expect.poll(() => received).toContain('event: hello');
  return {
    /** Returns how many events of this topic the page received. */
    countEvents: (topic: string) => received.split(`"topic":"${topic}"`).length - 1,
    end() {
      ended.abort();
      return reading;
    },
  };
}
