// `npm run bench:sign-in-flood`: 100 sign-in attempts a second with distinct e-mail addresses for a minute, first from a single
// source, then from a new source each time. Prints how long other requests and real sign-ins took meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { aBrowser, loginForm } from '../test/support/cookie-browser.ts';
import { HUB_MAIN, jsonCommand } from '../test/support/programs.ts';
import { openBenchHub } from './bench-hub.ts';

const PER_SECOND = Number(process.env.BENCH_ATTEMPTS_PER_SECOND ?? 100);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const PASSWORD = 'a long enough password';

const hub = await openBenchHub({ HUB_TRUSTED_PROXIES: '127.0.0.1' });
const env = { HUB_DATA_DIR: hub.folder };
const tenantId = hub.headers['x-tenant-id'] ?? '';

async function createPerson(email: string): Promise<void> {
  await jsonCommand(
    HUB_MAIN,
    [
      'user',
      'create',
      '--tenant',
      tenantId,
      '--email',
      email,
      '--role',
      'Admin',
      '--password-stdin',
    ],
    env,
    `${PASSWORD}\n`,
  );
}

const quantile = (values: number[], share: number) =>
  Math.round([...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0);

async function timed(work: () => Promise<unknown>, into: number[]): Promise<void> {
  const startedAt = performance.now();
  await work();
  into.push(performance.now() - startedAt);
}

/** Signs in with a browser; `from` is the client's address. Returns the status of the form's answer. */
async function signIn(browser: ReturnType<typeof aBrowser>, email: string, from: string) {
  const form = await browser.follow('/console/sign-in');
  const { headers, ...init } = loginForm({ email, password: PASSWORD });
  const answer = await browser.request(form.at, {
    ...init,
    headers: { ...headers, 'x-forwarded-for': from },
  });
  return answer.status;
}

async function measure(name: string, sourceOf: (attempt: number) => string, knowsBrowser: boolean) {
  const email = `${name.replaceAll(' ', '-')}@example.com`;
  await createPerson(email);
  const known = aBrowser(hub);
  if (knowsBrowser) await signIn(known, email, '192.0.2.1');
  const attacker = aBrowser(hub);
  const form = await attacker.follow('/console/sign-in');
  const statuses = new Map<number, number>();
  const running: Promise<void>[] = [];
  const end = performance.now() + SECONDS * 1000;
  const flood = (async () => {
    for (let attempt = 0; performance.now() < end; attempt++) {
      const { headers, ...init } = loginForm({ email: `${attempt}@example.net`, password: 'x' });
      const sent = attacker
        .request(form.at, {
          ...init,
          headers: { ...headers, 'x-forwarded-for': sourceOf(attempt) },
        })
        .then(async (answer) => {
          await answer.text();
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        });
      running.push(sent);
      await sleep(1000 / PER_SECOND);
    }
    await Promise.all(running);
  })();
  const [others, signIns, outcomes]: [number[], number[], number[]] = [[], [], []];
  const other = (async () => {
    while (performance.now() < end) {
      await timed(async () => (await fetch(`${hub.url}/console/`)).text(), others);
      await timed(
        async () =>
          (await fetch(`${hub.url}/ea/v1/sync/process-mappings`, { headers: hub.headers })).text(),
        others,
      );
      await sleep(20);
    }
  })();
  const real = (async () => {
    while (performance.now() < end) {
      const browser = knowsBrowser ? known : aBrowser(hub);
      await timed(async () => outcomes.push(await signIn(browser, email, '192.0.2.1')), signIns);
      await sleep(1_000);
    }
  })();
  await Promise.all([flood, other, real]);
  const refused = outcomes.filter((status) => status !== 303).length;
  console.log(
    `${name}: ${running.length} attempts ${JSON.stringify(Object.fromEntries(statuses))}; ` +
      `${others.length} other requests p50 ${quantile(others, 0.5)} ms, p99 ${quantile(others, 0.99)} ms; ` +
      `${signIns.length} sign-ins p50 ${quantile(signIns, 0.5)} ms, slowest ${quantile(signIns, 1)} ms, ${refused} refused`,
  );
}

try {
  await measure('a single source', () => '198.51.100.1', false);
  await measure('many sources', (i) => `198.51.${100 + ((i >> 8) % 100)}.${i % 256}`, true);
} finally {
  await hub.close();
}
