// What runs from a Snap or a Flatpak: they start their programs through wrappers and in rooms of their own, so that no path
// which the scan saw is the executable's. A Snap is told by its folder, a Flatpak by the scope that it asked systemd for.
import { readFileSync } from 'node:fs';
import type { ScannedEntity } from '../discovery/scan/entity-assembler.ts';

/** One name for both kinds: what an entity is, and where a process runs. */
export type Sandbox = `snap:${string}` | `flatpak:${string}`;

const IN_A_SNAP = /^(?:\/var\/lib\/snapd)?\/snap\/([a-z0-9_-]{1,80})\/[^/]+\//;
const SNAP_MENUS = '/var/lib/snapd/desktop/applications/';
const FLATPAK_SCOPE = /\/app-flatpak-([\w.\\-]{1,255})-\d{1,20}\.scope(?:\/|$)/m;

/** The Snap or Flatpak that an entity is, or stands in the menu for; null for anything else, and for Snap's own parts. */
export function sandboxOf({ wire, key, owners }: ScannedEntity): Sandbox | null {
  if (wire.source === 'flatpak') return `flatpak:${key}`;
  if (wire.source === 'desktop_entry') {
    const id = detail(wire.details, 'flatpak');
    if (id !== null) return `flatpak:${id}`;
  }
  if (!owners.includes(null)) return null;
  if (wire.source === 'snap') return detail(wire.details, 'type') === 'app' ? `snap:${key}` : null;
  const isMenu =
    wire.source === 'desktop_entry' && (wire.install_path?.startsWith(SNAP_MENUS) ?? false);
  return isMenu ? `snap:${key.split('_', 1)[0]}` : null;
}

/** Where a process runs by its executable's path. `readCgroup` is asked only where the path is one of a Flatpak's room. */
export function sandboxAt(path: string, readCgroup: () => string | null): Sandbox | null {
  const snap = IN_A_SNAP.exec(path)?.[1];
  if (snap !== undefined) return `snap:${snap}`;
  if (!path.startsWith('/app/')) return null;
  const id = FLATPAK_SCOPE.exec(readCgroup() ?? '')?.[1];
  return id === undefined ? null : `flatpak:${id.replaceAll('\\x2d', '-')}`;
}

/** The kernel's own word on which scope a process is in; null where it is gone. */
export function readCgroup(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  } catch {
    // Ended meanwhile, or no Linux.
    return null;
  }
}

function detail(details: object | null | undefined, name: string): string | null {
  const value = details == null ? undefined : (details as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}
