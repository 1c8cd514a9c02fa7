// The packages without which nothing works, where their database does not say so itself (as dpkg's does). Names only, those
// that bring programs: an interpreter that people run their own scripts with is none of them.

/** Of what Arch's `base` depends on. */
const PACMAN = [
  ...['base', 'bash', 'bzip2', 'coreutils', 'file', 'filesystem', 'findutils', 'gawk', 'gettext'],
  ...['glibc', 'grep', 'gzip', 'iproute2', 'iputils', 'pacman', 'pciutils', 'procps-ng', 'psmisc'],
  ...['sed', 'shadow', 'systemd', 'systemd-sysvcompat', 'tar', 'util-linux', 'xz'],
  ...['dbus', 'kmod', 'mkinitcpio', 'pam', 'sudo'],
];

/** Of what Alpine's `alpine-base` depends on. */
const APK = [
  ...['alpine-base', 'alpine-baselayout', 'alpine-conf', 'apk-tools', 'busybox', 'busybox-suid'],
  ...['libc-utils', 'mkinitfs', 'musl', 'musl-utils', 'openrc', 'scanelf', 'ssl_client'],
];

/** What Fedora, RHEL and SUSE protect from removal, and what that hangs on. */
const RPM = [
  ...['aaa_base', 'audit', 'bash', 'bzip2', 'coreutils', 'coreutils-single', 'coreutils-systemd'],
  ...['dbus-broker', 'dbus-daemon', 'dbus-1', 'dnf', 'dnf5', 'dnf-data', 'dracut', 'filesystem'],
  ...['findutils', 'gawk', 'glibc', 'glibc-common', 'grep', 'grub2-tools', 'grub2', 'gzip'],
  ...[
    'iproute',
    'iproute2',
    'iputils',
    'kmod',
    'libzypp',
    'microdnf',
    'pam',
    'passwd',
    'permissions',
  ],
  ...[
    'polkit',
    'procps',
    'procps-ng',
    'rpm',
    'rpm-ostree',
    'sed',
    'setup',
    'shadow',
    'shadow-utils',
  ],
  ...['sudo', 'systemd', 'systemd-udev', 'tar', 'udev', 'util-linux', 'util-linux-core'],
  ...['util-linux-systemd', 'xz', 'yum', 'zypper'],
];

/** By the name of the source that discovers them. */
export const VITAL_PACKAGES = {
  pacman: new Set(PACMAN),
  apk: new Set(APK),
  rpm: new Set(RPM),
} as const;
