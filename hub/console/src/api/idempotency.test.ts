// Requests that are repeated after a lost response, and requests that are not.
import { expect, test } from 'vitest';
import { ApiError } from './client.ts';
import { createSentOnce } from './idempotency.ts';

const lost = () => Promise.reject(new ApiError(0, 'unreachable', 'no answer', null));
const refused = (status: number, code: string) => () =>
  Promise.reject(new ApiError(status, code, 'no', null));

/** Sends from several forms in sequence; returns the ids of the requests. */
function aForm() {
  const once = createSentOnce();
  const ids: string[] = [];
  return {
    ids,
    send: (
      what: object,
      answer: () => Promise<string>,
      read?: (id: string) => Promise<string>,
    ): Promise<unknown> =>
      once(
        what,
        (id) => {
          ids.push(id);
          return answer();
        },
        read,
      ).catch((error: ApiError) => error.code),
  };
}

test('reuses an idempotency key after a lost response only for an unchanged request that was not rejected', async () => {
  const form = aForm();
  await form.send({ a: 1 }, lost);
  await form.send({ a: 1 }, refused(503, 'overloaded'));
  await form.send({ a: 1 }, refused(400, 'invalid_request'));
  await form.send({ a: 1 }, lost);
  await form.send({ a: 2 }, async () => 'made');
  const [first, second, third, fourth, fifth] = form.ids;
  expect([second, third]).toEqual([first, first]);
  expect(new Set([first, fourth, fifth]).size).toBe(3);
});

test('reads the record that an earlier attempt stored, including attempts that the browser repeated', async () => {
  const form = aForm();
  const there = refused(409, 'already_exists');
  expect(await form.send({ a: 1 }, there, async (id) => `read ${id}`)).toBe(`read ${form.ids[0]}`);
});

test('does not create a second record when reading the first fails, too', async () => {
  const form = aForm();
  const there = refused(409, 'already_exists');
  await form.send({ a: 1 }, lost);
  expect(await form.send({ a: 1 }, there, lost)).toBe('unreachable');
  expect(await form.send({ a: 1 }, there, async (id) => id)).toBe(form.ids[0]);
  expect(new Set(form.ids).size).toBe(1);
});
