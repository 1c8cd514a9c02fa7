// Finds unresponsive mounts before the sources read anything, because a source that touches such a mount never
// returns.
import { isHanging } from '../../homes/home-list.ts';
import { readMounts } from '../../scoped-fs/mount-table.ts';

/** Folders with the machine's software; other mounts are not touched. */
const OF_MACHINE = ['/etc', '/lib', '/nix', '/opt', '/snap', '/usr', '/var/lib'];

export interface UnresponsiveMounts {
  /** True for a path on an unresponsive mount. */
  isOn(path: string): boolean;
}

/** Null where all answer. Each that does not keeps a thread of this process, which can then only be killed. */
export async function findUnresponsiveMounts(
  homes: readonly { path: string }[],
  machine: boolean,
): Promise<UnresponsiveMounts | null> {
  const mounts = readMounts();
  if (mounts === null) return null;
  const folders = [...homes.map((home) => home.path), ...(machine ? OF_MACHINE : [])];
  const itself = ({ point }: { point: string }) => machine && OF_MACHINE.includes(point);
  const all = [
    ...folders.flatMap((folder) => mounts.foreignBelow(folder)),
    ...mounts.foreignBelow('/').filter(itself),
  ];
  // An automount is not touched: its user mounts it.
  const points = new Set(all.filter(({ type }) => type !== 'autofs').map(({ point }) => point));
  const dead = new Set<string>();
  const fs = async (point: string) => {
    if (await isHanging(point)) dead.add(point);
  };
  await Promise.all([...points].map(fs));
  if (dead.size === 0) return null;
  return { isOn: (path) => mounts.leadsOnto(path, dead) };
}
