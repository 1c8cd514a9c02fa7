// Homes and a package database of the test's own, bound over the machine's in the test's own mount namespace: an agent
// under test then sees, and may change, nothing of this machine.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFolder } from './agent-process.ts';
import { isInOwnNamespace } from './namespace.ts';

/** Nobody's on any real machine. */
export const PERSON = 54_321;

/**
 * Creates `/root` and `/home` with a user, and a copy of dpkg's database. Returns the user's home. Needs real root.
 */
export function bindOwnMachine(): string {
  if (!isInOwnNamespace()) throw new Error('only in a namespace of its own');
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const bind = (name: string, over: string) => {
    execFileSync('mount', ['--bind', join(folder, name), over]);
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', over]);
    });
  };
  for (const name of ['root', 'home', 'home/gw-person']) mkdirSync(join(folder, name));
  chownSync(join(folder, 'home/gw-person'), PERSON, PERSON);
  const passwd = `${readFileSync('/etc/passwd', 'utf8')}gw-person:x:${PERSON}:${PERSON}::/home/gw-person:/bin/sh\n`;
  writeFileSync(join(folder, 'passwd'), passwd);
  cpSync('/var/lib/dpkg', join(folder, 'dpkg'), { recursive: true });
  bind('root', '/root');
  bind('home', '/home');
  bind('passwd', '/etc/passwd');
  bind('dpkg', '/var/lib/dpkg');
  return '/home/gw-person';
}
