// Commands about the installation: serve, init, migrate, doctor, backup, restore, rotate-master-key, leaked.
import { addNotes } from '@gatewarden/shared/cli/help.ts';
import type { Command } from 'commander';
import { addCommand, displayTable, PROGRAM } from './command.ts';

/** In place of a file: standard output or standard input. */
const STREAM = '-';

/** Adds the commands about the installation as a whole. */
export function addInstallationCommands(program: Command): void {
  addServe(program);
  addInit(program);
  addCommand(program, {
    name: 'migrate',
    summary: 'Migrate the database to the schema of this version',
    examples: ['migrate'],
    creates: true,
    load: async () => (await import('./operator-commands.ts')).runMigrate,
  });
  addDoctor(program);
  addBackup(program);
  addMasterKey(program);
  addCommand<{ file: string; revoke?: boolean }>(program, {
    name: 'leaked <file>',
    argument: 'text to search; - is standard input',
    summary: 'Find the keys and tokens of this installation in a leaked file (-: standard input)',
    examples: ['leaked paste.txt', 'leaked paste.txt --revoke'],
    configure: (command) => command.option('--revoke', 'revoke the active ones'),
    load: async () => (await import('../app/issued-keys.ts')).runLeaked,
  });
}

function addServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('Run the hub (the default command); SIGTERM shuts it down gracefully')
    .option('--json', 'print one JSON document when ready')
    .action(async (options: { json?: boolean }) => (await import('./serve.ts')).serve(options));
  addNotes(serve, PROGRAM, {
    examples: ['serve', 'serve --json'],
    environment: {
      HUB_HOST: 'listening address (default: 127.0.0.1)',
      HUB_PORT: 'listening port; 0 selects a free port (default: 8080)',
      HUB_DATA_DIR: 'data folder of the embedded database (default: .data/hub)',
      DATABASE_URL: 'PostgreSQL of the installation, instead of the embedded database',
      HUB_MASTER_KEY_FILE: 'file with the master key (HUB_MASTER_KEY: the key itself)',
      PUBLIC_BASE_URL: 'https origin at which users and devices reach the hub',
      HUB_LOG_LEVEL: 'trace, debug, info, warn, error or silent (default: info)',
    },
  });
}

function addInit(program: Command): void {
  addCommand<import('./init.ts').InitOptions>(program, {
    name: 'init',
    summary: 'Create the first tenant and its administrator, and print the console address',
    examples: ['init', "init --tenant 'Acme' --email ada@acme.example --password-stdin <password"],
    environment: { PUBLIC_BASE_URL: 'https origin at which users and devices reach the hub' },
    creates: true,
    configure: (command) =>
      command
        .option('--tenant <name>', 'name of the tenant; asked on a terminal')
        .option('--email <email>', 'e-mail address of the administrator; asked on a terminal')
        .option('--password-stdin', 'read the password from standard input; asked on a terminal'),
    load: async () => (await import('./init.ts')).runInit,
  });
}

function addDoctor(program: Command): void {
  addCommand<import('./doctor.ts').DoctorOptions>(program, {
    name: 'doctor',
    summary: 'Check database, schema, master key, durability and sign-in',
    examples: ['doctor', 'doctor --prove --report /var/lib/proofs'],
    configure: (command) =>
      command
        .option(
          '--prove',
          'also restore a new backup into a scratch database, compare, and send a test alert',
        )
        .option(
          '--report <path>',
          'report of --prove: a new file, a folder, or - for standard output (default: .)',
        )
        .option(
          '--alerts <channels>',
          'notification channels that --prove tests: all, none, or those of a tenant by id or name (default: all)',
        ),
    // The stream of a report contains the report only.
    output: ({ report }) => (report === STREAM ? process.stderr : process.stdout),
    display: displayDoctor,
    load: async () => (await import('./doctor.ts')).runDoctorCommand,
  });
}

interface Examined {
  name: string;
  ok: boolean;
  detail: string;
}

async function displayDoctor(answer: object): Promise<string> {
  const { checks, steps = [], ...rest } = answer as { checks?: Examined[]; steps?: Examined[] };
  const columns = {
    check: (row: Examined) => row.name,
    result: (row: Examined) => (row.ok ? 'ok' : 'FAILED'),
  };
  const fields = Object.entries(rest).map(([name, value]) => `${name}: ${String(value)}`);
  if (checks === undefined) return fields.join('\n');
  const rows = [...checks, ...steps];
  const table = await displayTable('rows', columns, '')({ rows });
  // A detail is as long as its advice: it is never shortened.
  const [head = '', ...lines] = table.split('\n');
  const width = Math.max(head.length, ...lines.map((line) => line.length));
  const detailed = lines.map((line, i) => `${line.padEnd(width)}  ${rows[i]?.detail ?? ''}`);
  return [head, ...detailed, ...fields].join('\n');
}

function addBackup(program: Command): void {
  addCommand<{ file: string; overwrite?: boolean }>(program, {
    name: 'backup <file>',
    argument: 'new file; - is standard output',
    summary: 'Back up the installation to a file (-: standard output) while the hub runs',
    examples: ['backup /backups/hub.backup', 'backup - | ssh host "cat >hub.backup"'],
    configure: (command) => command.option('--overwrite', 'replace an existing file'),
    // The stream of a backup contains the backup only.
    output: ({ file }) => (file === STREAM ? process.stderr : process.stdout),
    load: async () => (await import('./backup.ts')).runBackup,
  });
  addCommand<{ file: string; dryRun?: boolean }>(program, {
    name: 'restore <file>',
    argument: 'backup file; - is standard input',
    summary: 'Restore a backup (-: standard input) into an empty database',
    examples: [
      'restore /backups/hub.backup --dry-run',
      'restore /backups/hub.backup',
      'restore - <hub.backup',
    ],
    configure: (command) =>
      command.option('--dry-run', 'check file, master key and database, and restore nothing'),
    creates: true,
    load: async () => (await import('./backup.ts')).runRestore,
  });
}

function addMasterKey(program: Command): void {
  addCommand<{ forgetOld?: boolean }>(program, {
    name: 'rotate-master-key',
    summary: 'Encrypt every stored secret with a new master key',
    examples: ['rotate-master-key', 'rotate-master-key --forget-old'],
    configure: (command) =>
      command.option('--forget-old', 'remove the old keys from the key file afterwards'),
    load: async () => (await import('./rotation.ts')).runRotateMasterKey,
  });
}
