// A change of a channel's state is recorded once for attempts that several hub processes finish at the same moment.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChannelBench, openChannelBench } from '../../../../../test/support/channel-bench.ts';
import { transact } from '../../../platform/db/database.ts';
import { type PreviousState, recordFailure, recordSuccess } from './channel-store.ts';

let bench: ChannelBench;
beforeAll(async () => {
  bench = await openChannelBench();
});
afterAll(() => bench?.close());

it('records each of failing, giving up and recovering once among simultaneous attempts', async () => {
  const { hub, webhook } = bench;
  const { id } = await webhook('/turning');
  const { db } = hub.context.database;
  const eight = (note: Parameters<typeof transact<PreviousState | null>>[1]) =>
    Promise.all(Array.from({ length: 8 }, () => transact(db, note)));
  const fails = (gaveUp: boolean) =>
    eight((tx) =>
      recordFailure(tx, hub.tenantId, id, {
        status: 500,
        error: 'answered',
        gaveUp,
        at: new Date(),
      }),
    );
  const count = (seen: (PreviousState | null)[], which: (row: PreviousState) => boolean) =>
    seen.filter((item) => item !== null && which(item)).length;

  expect(count(await fails(false), (row) => row.failing_since === null)).toBe(1);
  expect(count(await fails(true), (row) => row.gave_up_at === null)).toBe(1);
  const arrivals = await eight((tx) => recordSuccess(tx, hub.tenantId, id, 204));
  expect(count(arrivals, (arrival) => arrival.failing_since !== null)).toBe(1);
});
