// A desktop notification on Linux, over the bus of the person's own session and as that person: never as root.
import { spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import type { Home } from '../discovery/homes/home-list.ts';

/** Shows it where the person has a session; where not, nothing happens. */
export function notifyDesktop(
  homes: readonly Home[],
  runtimeRoot = '/run/user',
): (uid: number, title: string, text: string) => void {
  return (uid, title, text) => {
    if (process.platform !== 'linux') return;
    const own = process.getuid?.() ?? null;
    const gid = homes.find((home) => home.uid === uid)?.gid ?? null;
    // Without a group to become a member of, we would stay in root's.
    if (own !== uid && (own !== 0 || gid === null)) return;
    const folder = `${runtimeRoot}/${uid}`;
    const bus = lstatSync(`${folder}/bus`, { throwIfNoEntry: false });
    if (bus === undefined || !bus.isSocket() || bus.uid !== uid) return;
    const child = spawn(
      'notify-send',
      ['--app-name=Gatewarden', '--urgency=critical', '--', title, escapeMarkup(text)],
      {
        cwd: '/',
        stdio: 'ignore',
        timeout: 10_000,
        ...(own === uid || gid === null ? {} : { uid, gid }),
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus`,
          XDG_RUNTIME_DIR: folder,
        },
      },
    );
    // No such program here: the tray shows it.
    child.on('error', () => undefined);
    child.unref();
  };
}

/** The text of a notification on Linux takes a little HTML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
