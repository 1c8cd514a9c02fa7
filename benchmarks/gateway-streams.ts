// Streams of the gateway's benchmark: how long after the request the first event arrives, and how long each event is on its
// way. The upstream double writes the time of sending into each event; both programs read the same clock.
import { Pool } from 'undici';
import type { Shot } from './load.ts';
import { median } from './median.ts';

export interface StreamTimes {
  /** Median milliseconds from the request to the first event. */
  first: number;
  /** Median milliseconds from the sending of an event to its arrival. */
  event: number;
}

const SENT_AT = /"sent_at":(\d+(?:\.\d+)?)/g;

/** Reads `streams` paced streams in sequence. */
export async function measureStreams(
  origin: string,
  shot: Shot,
  streams: number,
): Promise<StreamTimes> {
  const pool = new Pool(origin, { connections: 1 });
  const times = { first: [] as number[], event: [] as number[] };
  const paced = Buffer.from(JSON.stringify({ ...JSON.parse(String(shot.body)), stream: true }));
  for (let i = 0; i < streams; i++) {
    const startedAt = performance.now();
    const answer = await pool.request({ ...shot, body: paced });
    if (answer.statusCode !== 200) throw new Error(`${origin} answered ${answer.statusCode}`);
    let isFirst = true;
    for await (const chunk of answer.body) {
      const now = performance.timeOrigin + performance.now();
      if (isFirst) times.first.push(performance.now() - startedAt);
      isFirst = false;
      for (const [, sentAt] of String(chunk).matchAll(SENT_AT))
        times.event.push(now - Number(sentAt));
    }
  }
  await pool.close();
  return { first: median(times.first), event: median(times.event) };
}
