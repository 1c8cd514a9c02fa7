// The homes of this machine's people as they are now: somebody may come while the agent runs, whose name must not leave
// either. It costs a look at two times.
import { lstatSync } from 'node:fs';
import { type Home, listHomes } from './homes.ts';

export interface LiveHomes {
  /** Always the same list, which changes. */
  readonly list: readonly Home[];
  /** Lists them again where something tells of a change: `uids` are of what was just started. */
  look(uids: Iterable<number | null>): void;
  /** Lists them again. */
  renew(): void;
}

/** Where an account comes to be known, and where its home is made. */
const TELLING = ['/etc/passwd', '/home', '/Users'];

/** `changed` hears of the list now, and once it is another one. */
export function openHomes(changed: (homes: readonly Home[]) => void, list = listHomes): LiveHomes {
  const homes: Home[] = list();
  const asked = new Set<number | null>(homes.map((home) => home.uid)).add(null);
  let signature = signatureOf(TELLING);
  changed(homes);
  const renew = (): void => {
    signature = signatureOf(TELLING);
    const now = list();
    if (JSON.stringify(now) === JSON.stringify(homes)) return;
    homes.splice(0, homes.length, ...now);
    changed(homes);
  };
  return {
    list: homes,
    look(uids) {
      const strangers = [...uids].filter((uid) => !asked.has(uid));
      for (const uid of strangers) asked.add(uid);
      if (strangers.length > 0 || signatureOf(TELLING) !== signature) renew();
    },
    renew,
  };
}

function signatureOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat === undefined ? '' : `${stat.ino}:${stat.ctimeMs}`;
    })
    .join();
}
