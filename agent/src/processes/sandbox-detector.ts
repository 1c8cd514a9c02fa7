// Detects processes of Snaps and Flatpaks, which run through wrappers in sandboxes, so that no scanned path is the
// executable's. A Snap is identified by its folder, a Flatpak by its systemd scope.
import { readFileSync } from 'node:fs';
import type { ScannedEntity } from '../discovery/scan/entity-assembler.ts';

/** Name of a sandbox, for entities and processes alike. */
export type Sandbox = `snap:${string}` | `flatpak:${string}`;

const IN_A_SNAP = /^(?:\/var\/lib\/snapd)?\/snap\/([a-z0-9_-]{1,80})\/[^/]+\//;
const SNAP_MENUS = '/var/lib/snapd/desktop/applications/';
const FLATPAK_SCOPE = /\/app-flatpak-([\w.\\-]{1,255})-\d{1,20}\.scope(?:\/|$)/m;

/** Returns the Snap or Flatpak of an entity or its menu entry; null for anything else, and for Snap's own parts. */
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

/**
 * Returns the sandbox of a process by its executable's path. `readCgroup` is called only for paths inside a Flatpak.
 */
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
