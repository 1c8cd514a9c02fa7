// Waits with a message: a bare time limit in a test's log gives no cause.
import { setTimeout as sleep } from 'node:timers/promises';

const POLLS = 3_000;
const POLL_INTERVAL_MS = 50;
/** Attempts of a client at a hub that is busy or starting. */
const ATTEMPTS = 60;

/** Polls until the condition is true. After 150 seconds it throws the description and the last lines of `log`. */
export async function awaitThat(
  description: string,
  isTrue: () => Promise<boolean>,
  log: () => string = () => '',
): Promise<void> {
  for (let poll = 0; poll < POLLS; poll++) {
    if (await isTrue()) return;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`waited in vain until ${description}\n${lastLines(log())}`);
}

/** Returns the same wait as a line of shell script; on failure it prints the end of the file `log` and exits with 3. */
export function awaitInShell(description: string, isTrue: string, log: string): string {
  const fail = `echo 'waited in vain until ${description}'; tail -n 30 ${log}; exit 3`;
  return `polls=0; until { ${isTrue}; }; do polls=$((polls + 1)); [ $polls -lt ${POLLS} ] || { ${fail}; }; sleep 0.05; done`;
}

/**
 * Repeats a request that a hub answers with 503, as a client does: after the seconds of Retry-After. Returns the first
 * different answer, or the last 503.
 */
export async function retryUnavailable<T extends { status: number; headers: Headers }>(
  send: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send();
    const retryAfter = answer.headers.get('retry-after');
    if (answer.status !== 503 || retryAfter === null || attempt === ATTEMPTS) return answer;
    await sleep(Number(retryAfter) * 1_000);
  }
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-30).join('\n');
}
