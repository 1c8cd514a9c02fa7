// A wait that says what it waited for: in a test's log a bare time limit tells nothing.
import { setTimeout as sleep } from 'node:timers/promises';

const LOOKS = 600;
const BETWEEN_MS = 250;

/** Looks until it is so. In the end it throws with what was awaited, and the last that `seen` has to say. */
export async function awaitThat(
  what: string,
  isSo: () => Promise<boolean>,
  seen: () => string = () => '',
): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    if (await isSo()) return;
    await sleep(BETWEEN_MS);
  }
  throw new Error(`waited in vain until ${what}\n${lastLines(seen())}`);
}

/** The same as a line of shell script: on giving up it shows the end of `log`, and the script ends with 3. */
export function awaitInShell(what: string, isSo: string, log: string): string {
  const give = `echo 'waited in vain until ${what}'; tail -n 30 ${log}; exit 3`;
  return `looks=0; until { ${isSo}; }; do looks=$((looks + 1)); [ $looks -lt ${LOOKS} ] || { ${give}; }; sleep 0.2; done`;
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-30).join('\n');
}
