// The commands that install the agent on each platform, as docs/installing.md has them.

export interface Machine {
  baseUrl: string;
  tenantId: string;
  subscriberId: string;
}

export interface Installer {
  key: 'deb' | 'rpm' | 'archive' | 'macos' | 'windows';
  name: string;
  /** How far it is known to work. */
  tried: 'tried' | 'untried' | 'not_built';
  /** Null where there is none. */
  command: ((machine: Machine) => string) | null;
}

const TOKEN_FILE = '/root/gatewarden-token';

export const INSTALLERS: readonly Installer[] = [
  {
    key: 'deb',
    name: 'Debian, Ubuntu (.deb)',
    tried: 'tried',
    command: (machine) => installed(machine, 'dpkg -i gatewarden-agent_*_amd64.deb'),
  },
  {
    key: 'rpm',
    name: 'Fedora, RHEL, SUSE (.rpm)',
    tried: 'untried',
    command: (machine) => installed(machine, 'rpm -i gatewarden-agent-*.x86_64.rpm'),
  },
  {
    key: 'archive',
    name: 'Other Linux (archive)',
    tried: 'tried',
    command: (machine) =>
      [
        'tar xzf gatewarden-agent-*-linux-x64.tar.gz',
        installed(machine, './gatewarden-agent-*-linux-x64/install.sh'),
      ].join(' && \\\n'),
  },
  { key: 'macos', name: 'macOS', tried: 'not_built', command: null },
  { key: 'windows', name: 'Windows', tried: 'not_built', command: null },
];

/**
 * As root, with the token in a file that only root reads: a command line is seen by everybody on the machine. One command
 * in all, so that whatever shell it is pasted into asks for the token before the rest, and not with the rest.
 */
function installed({ baseUrl, tenantId, subscriberId }: Machine, program: string): string {
  const asked = 'umask 077; printf "Token: "; read -r token; printf "%s\\n" "$token"';
  return [
    `sudo sh -c '${asked} > ${TOKEN_FILE}' &&`,
    [
      `sudo GATEWARDEN_BASE_URL=${quoted(baseUrl)}`,
      `GATEWARDEN_TENANT_ID=${quoted(tenantId)}`,
      `GATEWARDEN_SUBSCRIBER_ID=${quoted(subscriberId)}`,
      `GATEWARDEN_AUTH_TOKEN_FILE=${TOKEN_FILE}`,
      `${program};`,
    ].join(' \\\n  '),
    `sudo rm ${TOKEN_FILE}`,
  ].join(' \\\n');
}

/** One word of a shell, whatever somebody typed. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
