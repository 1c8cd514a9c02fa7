// Vital packages, where their database does not mark them as dpkg's does. Names only, of packages with programs: an
// interpreter that users run their own scripts with is not vital.

/** Dependencies of Arch's `base`. */
const PACMAN = [
  ...['base', 'bash', 'bzip2', 'coreutils', 'file', 'filesystem', 'findutils', 'gawk', 'gettext'],
  ...['glibc', 'grep', 'gzip', 'iproute2', 'iputils', 'pacman', 'pciutils', 'procps-ng', 'psmisc'],
  ...['sed', 'shadow', 'systemd', 'systemd-sysvcompat', 'tar', 'util-linux', 'xz'],
  ...['dbus', 'kmod', 'mkinitcpio', 'pam', 'sudo'],
];

/** Dependencies of Alpine's `alpine-base`. */
const APK = [
  ...['alpine-base', 'alpine-baselayout', 'alpine-conf', 'apk-tools', 'busybox', 'busybox-suid'],
  ...['libc-utils', 'mkinitfs', 'musl', 'musl-utils', 'openrc', 'scanelf', 'ssl_client'],
];

/** Packages that Fedora, RHEL and SUSE protect from removal, and their dependencies. */
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

/** Vital packages by the name of the source that discovers them. */
export const VITAL_PACKAGES = {
  pacman: new Set(PACMAN),
  apk: new Set(APK),
  rpm: new Set(RPM),
} as const;
