// Processes of a package manager belong to an installation: ended half-way, it leaves packages that are half
// installed.
import { basename } from 'node:path';
import type { CorrelatedProcess } from '../processes/process-correlator.ts';
import { readProcess } from '../processes/process-list.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { isNamed, type ProtectionRule } from './protection-rules.ts';

/** Package managers that change the system, without those that also start programs for users (flatpak, snap, nix). */
const INSTALLERS = [
  ...['apt', 'apt-get', 'apt.systemd.daily', 'aptitude', 'dpkg*', 'unattended-upgrade*'],
  ...['packagekitd', 'rpm', 'dnf*', 'yum', 'zypper', 'pacman', 'apk', 'rpm-ostree*', 'microdnf'],
  ...['emerge', 'xbps-*', 'debconf*', 'update-initramfs', 'fwupd*'],
];
const MOST_PARENTS = 64;

/** The protection rule of programs that an installation runs. */
export const INSTALLING: Pick<ProtectionRule, 'name' | 'reason'> = {
  name: 'package_manager',
  reason: 'an installation runs it, which would end half-way',
};

/** True for a package manager that may change the system: anybody else's is only called so. */
export function isInstaller({ process, script }: CorrelatedProcess): boolean {
  if (process.uid !== 0) return false;
  return (
    isNamed(process.executablePath, process.name, INSTALLERS) ||
    (script !== null && isNamed(script.path, basename(script.path), INSTALLERS))
  );
}

/** Returns the ancestors of a process, the nearest first; none where reading them is expensive. */
export function parentsOf({ ppid }: RunningProcess): RunningProcess[] {
  const parents: RunningProcess[] = [];
  if (process.platform !== 'linux') return parents;
  for (let pid = ppid; pid > 1 && parents.length < MOST_PARENTS; ) {
    const parent = readProcess(pid, null);
    if (parent === null) break;
    parents.push(parent);
    pid = parent.ppid;
  }
  return parents;
}
