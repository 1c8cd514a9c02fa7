// Lists the homes of this machine's users while the agent runs: names of new users must not leave the device either. A
// check compares two times, and waits for no home that does not answer.
import { lstat } from 'node:fs/promises';
import { withTimeout } from '../../runtime/concurrency-limiter.ts';
import { createAbandonedWorkers } from '../../runtime/killable-worker.ts';
import { findHomes } from './home-finder.ts';
import type { FoundHomes, Home } from './home-list.ts';

export interface LiveHomes {
  /** Always the same list, which changes. */
  readonly list: readonly Home[];
  /** Calls a listener with the list now and after each change. */
  follow(changed: (homes: readonly Home[]) => void): void;
  /**
   * Lists the homes again where something indicates a change: `owners` are those of processes that just started.
   * Waits for a moment.
   */
  refresh(owners: Iterable<string | null>): Promise<void>;
  /** Lists them again. */
  renew(): Promise<void>;
}

/** Files and folders that change with accounts and homes. */
const TELLING = ['/etc/passwd', '/home', '/Users'];
/**
 * Without new processes the list is checked at an interval: a check takes threads, and a process of an unknown user
 * triggers it at once.
 */
const LOOKS_PER_ASKING = 4;
/** Longest delay of a tick by a check. */
const PATIENCE_MS = 500;

/** Knows them when it returns. */
export async function openHomes(find: typeof findHomes = findHomes): Promise<LiveHomes> {
  const abandoned = createAbandonedWorkers();
  const homes: Home[] = [];
  const asked = new Set<string | null>([null]);
  const followers: ((homes: readonly Home[]) => void)[] = [];
  const signature = watchTelling();
  let working: Promise<void> | null = null;
  let isDueAgain = false;
  let quietLooks = 0;

  const list = async (): Promise<void> => {
    const found = await find(abandoned);
    if (found === null) return;
    const now = withFormer(found, homes);
    if (JSON.stringify(now) === JSON.stringify(homes)) return;
    homes.splice(0, homes.length, ...now);
    for (const changed of followers) changed(homes);
  };
  /** A change during the listing leads to another listing. */
  const renew = (): Promise<void> => {
    isDueAgain = working !== null;
    working ??= (async () => {
      do {
        isDueAgain = false;
        await list();
      } while (isDueAgain);
    })().finally(() => {
      working = null;
    });
    return working;
  };

  void signature.hasChanged();
  await renew();
  for (const { owner } of homes) asked.add(owner);
  return {
    list: homes,
    follow(changed) {
      followers.push(changed);
      changed(homes);
    },
    async refresh(owners) {
      const started = [...owners];
      if (started.length === 0 && ++quietLooks % LOOKS_PER_ASKING !== 0) return;
      const strangers = started.filter((owner) => !asked.has(owner));
      for (const owner of strangers) asked.add(owner);
      const work = async () => {
        if (strangers.length > 0 || (await signature.hasChanged())) await renew();
      };
      await withTimeout(PATIENCE_MS, work(), undefined);
    },
    renew,
  };
}

/** Homes of a folder that stopped responding stay in the list. */
function withFormer({ homes, hanging }: FoundHomes, former: readonly Home[]): Home[] {
  const now = homes.map((home): Home => {
    if (home.hangs !== true) return home;
    const before = former.find(
      (previous) =>
        previous.owner === home.owner && (previous.alias ?? previous.path) === home.path,
    );
    return before === undefined ? home : { ...before, hangs: true };
  });
  const isNamed = new Set(now.map((home) => home.path));
  const gone = former.filter(
    ({ path, alias }) =>
      !isNamed.has(path) && hanging.some((folder) => `${alias ?? path}/`.startsWith(`${folder}/`)),
  );
  const all = [...now, ...gone.map((home): Home => ({ ...home, hangs: true }))];
  return all.sort((a, b) => (a.owner < b.owner ? -1 : 1));
}

/** Checks run one at a time: a check that hangs blocks a single thread. */
function watchTelling(): { hasChanged(): Promise<boolean> } {
  let looking = false;
  let before: string | null = null;
  return {
    async hasChanged() {
      if (looking) return false;
      looking = true;
      const now = (await Promise.all(TELLING.map(signatureOf))).join();
      looking = false;
      const was = before;
      before = now;
      return was !== now;
    },
  };
}

async function signatureOf(path: string): Promise<string> {
  try {
    const { ino, ctimeMs } = await lstat(path);
    return `${ino}:${ctimeMs}`;
  } catch {
    // Not there: a state like any other.
    return '';
  }
}
