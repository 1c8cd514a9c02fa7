// The load generator: a number of requests over 64 connections, each body once; its own processor time is reported.
import { Pool } from 'undici';

export interface Measured {
  requests: number;
  failed: number;
  seconds: number;
  perSecond: number;
  /** Processor seconds that the generator itself took. */
  generatorCpu: number;
}

export interface Shot {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

/** Sends every shot once, at most `connections` at a time. */
export async function load(
  origin: string,
  shots: readonly Shot[],
  options: { connections?: number; expect?: number } = {},
): Promise<Measured> {
  const connections = options.connections ?? 64;
  const pool = new Pool(origin, { connections, pipelining: 1 });
  let next = 0;
  let failed = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const worker = async () => {
    for (let shot = shots[next++]; shot !== undefined; shot = shots[next++]) {
      const answer = await pool.request({
        path: shot.path,
        method: shot.method,
        headers: shot.headers,
        ...(shot.body === undefined ? {} : { body: shot.body }),
      });
      if (answer.statusCode !== (options.expect ?? 202)) {
        failed++;
        if (failed === 1) console.error(answer.statusCode, await answer.body.text());
      }
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  await pool.close();
  return {
    requests: shots.length,
    failed,
    seconds,
    perSecond: shots.length / seconds,
    generatorCpu: (used.user + used.system) / 1e6,
  };
}
