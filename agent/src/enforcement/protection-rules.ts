// Protection rules: what is never ended, whatever an override requests. Each rule is data: a name, a reason and a
// predicate.
import { basename } from 'node:path';
import type { CorrelatedProcess } from '../processes/process-correlator.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { comparablePath, isWithin } from '../runtime/path-comparison.ts';

/** Facts about the machine and the agent that the rules use. */
export interface SystemContext {
  agentPid: number;
  /** The pids of the agent's parents, up to PID 1. */
  ancestors: ReadonlySet<number>;
  /** Real paths of the executables the agent runs with, in comparable form. */
  ownExecutables: ReadonlySet<string>;
  /** Folders of the installation: what lies below belongs to the agent or to the hub beside it. */
  ownFolders: readonly string[];
  /** Real paths of what this machine's accounts log in with. */
  loginShells: ReadonlySet<string>;
}

export interface ProtectionRule {
  readonly name: string;
  readonly reason: string;
  protects(process: CorrelatedProcess, systemContext: SystemContext): boolean;
}

/** Folders of programs of the system and its packages. A copy of a protected program elsewhere is not protected. */
const SYSTEM_FOLDERS = [
  '/usr/',
  '/bin/',
  '/sbin/',
  '/lib/',
  '/lib32/',
  '/lib64/',
  '/opt/',
  '/snap/',
  '/nix/',
  '/System/',
  '/Library/',
  '/Applications/',
];

/** Programs of the operating system where no package database marks them as vital. */
const SYSTEM_ITSELF = [
  /^[a-z]:\\windows\\/i,
  /^[a-z]:\\(program files|programdata\\microsoft)\\windows defender/i,
  /^\/System\//,
  /^\/sbin\/launchd$/,
];

/** Programs by base name (`*` at the end matches any ending), in a system folder. */
export const NAMED_PROGRAMS: Record<string, { reason: string; names: readonly string[] }> = {
  init_system: {
    reason: 'the system and its sessions depend on it',
    names: [
      'systemd*',
      'init',
      'openrc*',
      'runit*',
      's6-*',
      'launchd',
      'dbus-daemon',
      'dbus-broker*',
      'dbus-launch',
      '(sd-pam)',
      'udevd',
      'eudev',
      'elogind*',
      'polkitd',
      'NetworkManager',
      'wpa_supplicant',
      'dhclient',
      'dhcpcd',
      'dockerd',
      'containerd*',
      'docker-init',
      'conmon',
      'runc',
      'crun',
      'crio',
      'kubelet',
      'tini',
      'dumb-init',
    ],
  },
  login_server: {
    reason: 'without it no administrator could log in',
    names: [
      'sshd*',
      'dropbear',
      'login',
      'agetty',
      'getty',
      'mingetty',
      'xrdp*',
      'telnetd',
      'in.telnetd',
      'cockpit-*',
      'tmux*',
      'screen',
      'mosh-server',
      'su',
      'sudo',
      'doas',
      'pkexec',
      'tailscaled',
      'openvpn*',
      'teleport',
      'sssd*',
      'nslcd',
      'winbindd',
    ],
  },
  shell: {
    reason: 'a shell may be the session or a script of any user',
    names: [
      'sh',
      'bash',
      'dash',
      'zsh',
      'fish',
      'ksh*',
      'mksh',
      'tcsh',
      'csh',
      'ash',
      'busybox',
      'nu',
      'pwsh',
      'rbash',
    ],
  },
  package_manager: {
    reason: 'ending it during a change would break the installation',
    names: [
      'apt',
      'apt-get',
      'apt.systemd.daily',
      'aptitude',
      'apt-*',
      'dpkg*',
      'unattended-upgrade*',
      'packagekitd',
      'snapd',
      'flatpak*',
      'rpm',
      'dnf*',
      'yum',
      'zypper',
      'pacman',
      'apk',
      'debconf*',
      'needrestart',
      'update-initramfs',
      'fwupd*',
      'snap',
      'nix*',
      'rpm-ostree*',
      'microdnf',
      'emerge',
      'xbps-*',
    ],
  },
  display_server: {
    reason: 'the user would lose all open work',
    names: [
      'Xorg',
      'X',
      'Xwayland',
      'weston',
      'gnome-shell',
      'gnome-session*',
      'mutter*',
      'kwin*',
      'plasmashell',
      'startplasma*',
      'ksmserver',
      'sway',
      'Hyprland',
      'labwc',
      'wayfire',
      'xfce4-session',
      'xfwm4',
      'cinnamon*',
      'mate-session',
      'lxsession',
      'gdm*',
      'sddm*',
      'lightdm*',
      'greetd',
      'WindowServer',
      'loginwindow',
      'Finder',
      'Dock',
    ],
  },
  accessibility: {
    reason: 'a user may depend on it to use the machine',
    names: [
      'at-spi*',
      'orca',
      'brltty*',
      'speech-dispatcher*',
      'espeak*',
      'onboard',
      'florence',
      'maliit*',
      'ibus*',
      'fcitx*',
      'VoiceOver',
      'squeekboard',
    ],
  },
  security_software: {
    reason: 'it protects the machine',
    names: [
      'auditd',
      'clamd',
      'clamonacc',
      'freshclam',
      'fail2ban*',
      'apparmor*',
      'aa-*',
      'firewalld',
      'nft',
      'iptables*',
      'ufw',
      'rsyslogd',
      'falcon-sensor*',
      'falcond',
      'mdatp',
      'wdavdaemon',
      'osqueryd',
      'wazuh-*',
      'ossec-*',
      'crowdsec',
      'sentinelone*',
      's1-agent',
      'elastic-agent',
      'elastic-endpoint*',
      'suricata*',
      'usbguard*',
      'fapolicyd',
      'falco*',
      'ds_agent',
      'xagt',
      'nessusd',
      'qualys-cloud-agent',
      'velociraptor*',
      'TaniumClient',
      'santad',
      'cbagentd',
      'esets*',
      'savd',
      'gpg-agent',
      'gnome-keyring-d*',
      'kwalletd*',
      'secret-tool',
    ],
  },
};

/** All rules; the first match is reported. A new rule is a new row and its test. */
export const PROTECTION_RULES: readonly ProtectionRule[] = [
  {
    name: 'pid_1',
    reason: 'the first process of the machine or container',
    protects: ({ process }) => process.pid <= 1,
  },
  {
    name: 'kernel_thread',
    reason: 'part of the kernel',
    protects: ({ process }) => process.kernelThread || (process.pid === 2 && process.ppid === 0),
  },
  {
    name: 'agent_itself',
    reason: 'the agent and its children',
    protects: ({ process }, { agentPid, ownExecutables }) =>
      process.pid === agentPid ||
      process.ppid === agentPid ||
      (process.executablePath !== null &&
        ownExecutables.has(comparablePath(process.executablePath))),
  },
  {
    name: 'agent_ancestor',
    reason: 'the agent was started by it',
    protects: ({ process }, { ancestors }) => ancestors.has(process.pid),
  },
  {
    name: 'own_installation',
    reason: 'part of this installation',
    protects: ({ process, script }, { ownFolders }) =>
      [script?.path ?? null, process.executablePath].some(
        (path) => path !== null && ownFolders.some((folder) => isWithin(folder, path)),
      ),
  },
  {
    name: 'unseen_executable',
    reason: 'its executable is not visible, so it cannot be identified',
    // A memfd has no file to identify it, and session tools and container runtimes run from memfds.
    protects: ({ process }) =>
      process.executablePath === null || process.executablePath.startsWith('/memfd:'),
  },
  {
    name: 'hub_database',
    reason: 'the database of a hub on this machine',
    protects: ({ process }) =>
      (process.executablePath?.startsWith('/var/lib/gatewarden') ?? false) ||
      // A hub may use the distribution's own.
      isNamed(process.executablePath, process.name, ['postgres', 'postmaster']),
  },
  {
    name: 'hub_itself',
    reason: 'a hub on this machine',
    protects: ({ script }) => script?.path.endsWith('/hub/src/main.ts') ?? false,
  },
  {
    name: 'vital_package',
    reason: 'the distribution calls its package required, important or essential',
    protects: ({ vital }) => vital,
  },
  {
    name: 'system_itself',
    reason: 'part of the operating system',
    protects: ({ process }) =>
      SYSTEM_ITSELF.some((pattern) => pattern.test(process.executablePath ?? '')),
  },
  {
    name: 'unknown_ownership',
    reason: 'the package database cannot be read, so no program is known to be harmless',
    protects: ({ process, script, ownersKnown }) =>
      !ownersKnown && [process.executablePath, script?.path ?? null].some(isInSystemFolder),
  },
  {
    name: 'login_shell',
    reason: 'users of this machine log in with it',
    protects: ({ process }, { loginShells }) =>
      process.executablePath !== null && loginShells.has(process.executablePath),
  },
  ...Object.entries(NAMED_PROGRAMS).map(
    ([name, { reason, names }]): ProtectionRule => ({
      name,
      reason,
      // Many of these programs are scripts: the interpreter's name does not identify them.
      protects: ({ process, script }) =>
        isNamed(process.executablePath, process.name, names) ||
        (script !== null && isNamed(script.path, basename(script.path), names)),
    }),
  ),
];

/** True for a program of such a name in a folder of the system. */
export function isNamed(path: string | null, name: string, names: readonly string[]): boolean {
  return isInSystemFolder(path) && names.some((pattern) => fitsName(pattern, name));
}

function isInSystemFolder(path: string | null): boolean {
  return path !== null && SYSTEM_FOLDERS.some((folder) => path.startsWith(folder));
}

function fitsName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Returns the protection rule that refuses to end this process, or null. */
export function findProtectionRule(
  process: CorrelatedProcess,
  systemContext: SystemContext,
): ProtectionRule | null {
  return PROTECTION_RULES.find((rule) => rule.protects(process, systemContext)) ?? null;
}

/** Returns the pids above a process, from a list of all processes. */
export function ancestorsOf(pid: number, processes: readonly RunningProcess[]): Set<number> {
  const parents = new Map(processes.map((p) => [p.pid, p.ppid]));
  const ancestors = new Set<number>();
  let at = parents.get(pid);
  while (at !== undefined && at > 0 && !ancestors.has(at)) {
    ancestors.add(at);
    at = parents.get(at);
  }
  return ancestors;
}
