// The hub's command line. Answers go to standard output, logs to standard error; a failure is one clear line and exit 1.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { completionFor, isProgramName, SHELLS, type Shell } from '@gatewarden/shared/completion.ts';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { whenNpmEnds } from '@gatewarden/shared/npm-parent.ts';
import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander';
import type { CommandRun } from './commands.ts';
import { CommandFailed, exitCodeOf } from './exit-codes.ts';
import type { TenantFileOptions } from './operator.ts';
import { type AddCommand, addPeople } from './people-commands.ts';
import { settleCollector } from './platform/collector.ts';
import { ConfigError, readConfig } from './platform/config/config.ts';
import { describeUnknownVariable, readEnv, unknownVariables } from './platform/config/env.ts';
import { isDatabaseAway, isDatabaseFull, isDatabaseReadOnly } from './platform/db/database.ts';
import { createLog } from './platform/telemetry/log.ts';
import type { ReleaseAddOptions, ReleaseRingOptions } from './releases.ts';
import type { Hub } from './server.ts';
import { HUB_VERSION } from './version.ts';

// Loaded when they are carried out: a command waits for no module that it does not use.
const commands = () => import('./commands.ts');
const backup = () => import('./backup.ts');
const operator = () => import('./operator.ts');
const releases = () => import('./releases.ts');

const program = new Command('hub')
  .description('The Gatewarden hub')
  .version(HUB_VERSION)
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text.replace(/\n+$/, '\n')) });

program
  .command('completion')
  .description('a script by which your shell completes commands: source it')
  .addArgument(new Argument('<shell>').choices(SHELLS))
  .option('--name <name>', 'how the program is called there', programName, 'gatewarden-hub')
  .action((shell: Shell, { name }: { name: string }) => {
    process.stdout.write(completionFor(shell, program, name));
  });

/** Commands that begin an installation where there is none; all others need one. */
const CREATING = new Set(['hub migrate', 'tenant create']);

const command: AddCommand = (parent, name, description, load) =>
  parent
    .command(name)
    .description(description)
    .option('--json', 'print one JSON document')
    .action((options) => {
      // Nothing may stand around a report that goes to standard output.
      const out = options.report === '-' ? process.stderr : process.stdout;
      const mayCreate = CREATING.has(`${parent.name()} ${name}`);
      return print(async (run) => (await load())(run, options), options, out, mayCreate);
    });

/** Returns the value of `--name`; throws unless it is the name of a program. */
function programName(value: string): string {
  if (isProgramName(value)) return value;
  throw new InvalidArgumentError('It must be the name of a program.');
}

async function print(
  work: (run: CommandRun) => Promise<object>,
  options: { json?: boolean; url?: string; publicKey?: string },
  out: NodeJS.WritableStream = process.stdout,
  mayCreate = false,
): Promise<void> {
  const env = readEnv();
  const config = readConfig(env);
  // A command is quiet: what it has to say is its answer.
  const log = createLog(env.HUB_LOG_LEVEL === undefined ? 'error' : config.logLevel);
  const has = () => config.databaseUrl !== null || existsSync(join(config.dataDir, 'postgres'));
  const isNew = !has();
  const isElsewhere = options.url !== undefined || options.publicKey !== undefined;
  if (isNew && !mayCreate && !isElsewhere) {
    throw new ConfigError(
      `${config.dataDir} holds no installation (HUB_DATA_DIR, DATABASE_URL): begin one with "serve" or "tenant create"`,
    );
  }
  const answer = await work({ config, log, stdin: process.stdin, mayCreate });
  // Otherwise an empty installation would be taken for the hub that runs with other settings.
  if (isNew && has()) {
    process.stderr.write(
      `hub: ${config.dataDir} held no installation: a new one was begun there (HUB_DATA_DIR, DATABASE_URL)\n`,
    );
  }
  out.write(options.json === true ? `${JSON.stringify(answer)}\n` : `${await readable(answer)}\n`);
  if ('ok' in answer && answer.ok === false) process.exitCode = 1;
}

program
  .command('serve', { isDefault: true })
  .description('run the hub (the default)')
  .option('--json', 'print one JSON document when ready')
  .action(serve);
command(
  program,
  'migrate',
  'bring the database to this version',
  async () => (await commands()).runMigrate,
);
command(
  program,
  'doctor',
  'check database, schema, master key and durability',
  async () => (await import('./doctor.ts')).runDoctorCommand,
)
  .option(
    '--prove',
    'then make a backup, restore it beside the database, compare, and send a test alert',
  )
  .option(
    '--report <path>',
    'where --prove writes its signed report: a new file, a folder, or - (standard output)',
  )
  .option(
    '--alerts <whose>',
    'which alert routes --prove tests: all (default), none, or a tenant id',
  )
  .option(
    '--verify-report <file>',
    'say only whether this report (-: standard input) is as it was signed',
  )
  .option('--public-key <base64>', 'by this key of the installation, without its database');

command(
  program,
  'rotate-master-key',
  'seal every stored secret anew with a new master key',
  async () => (await import('./rotation.ts')).runRotateMasterKey,
).option('--forget-old', 'then leave only the new key in the ring');

program
  .command('backup <file>')
  .description('write the whole installation into a file (-: standard output), while it runs')
  .option('--overwrite', 'also where the file is there already')
  .option('--json', 'print one JSON document')
  .action(async (file: string, options: { json?: boolean; overwrite?: boolean }) => {
    const { overwrite = false } = options;
    const { runBackup, STREAM } = await backup();
    const work = (run: CommandRun) => runBackup(run, { file, overwrite });
    // Nothing may stand around a backup that goes to standard output.
    return print(work, options, file === STREAM ? process.stderr : process.stdout);
  });
program
  .command('restore <file>')
  .description('put a backup (-: standard input) into an empty database')
  .option('--json', 'print one JSON document')
  .action((file: string, options: { json?: boolean }) =>
    print(async (run) => (await backup()).runRestore(run, { file }), options, process.stdout, true),
  );

addPeople(program, command, commands);

const token = program.command('token').description('tokens');
command(
  token,
  'admin',
  "make an administrator's JWT for one hour",
  async () => (await commands()).runTokenAdmin,
)
  .requiredOption('--tenant <id>', 'tenant id')
  .requiredOption('--email <email>', 'whom it names')
  .option('--role <role>', 'Admin, Reviewer, Viewer or Member', 'Admin');
command(
  token,
  'explain',
  "what an administrator's token (on standard input) opens, and why",
  async () => (await import('./token-explained.ts')).runTokenExplain,
);
command(token, 'agent', 'make an agent token', async () => (await commands()).runTokenAgent)
  .requiredOption('--tenant <id>', 'tenant id')
  .requiredOption('--name <name>', 'what it is for')
  .option('--expires-in <duration>', 'such as 30d; never where left out')
  .option('--enrol-only', 'opens nothing but enrolment: what installers should carry');
command(
  token,
  'node',
  'make a token of a gateway node',
  async () => (await commands()).runTokenNode,
)
  .requiredOption('--name <name>', 'what it is for')
  .option('--tenant <id>', 'the tenant that it serves')
  .option('--all-tenants', 'it serves all tenants');
command(
  token,
  'revoke',
  "revoke an agent's or a gateway node's token",
  async () => (await commands()).runTokenRevoke,
).requiredOption('--token-id <id>', 'its id');

const release = program.command('release').description('versions of the agent for devices');
release
  .command('add <file>')
  .description('offer a signed release of the agent')
  .requiredOption('--manifest <file>', 'its manifest.json')
  .requiredOption('--signature <file>', 'its manifest.json.sig')
  .requiredOption('--ring <percent>', 'how many of the devices are offered it, 0 to 100')
  .option(
    '--public-key <file>',
    "the vendor's public key (PEM): the signature is checked here, too",
  )
  .option('--json', 'print one JSON document')
  .action((file: string, options: ReleaseAddOptions & { json?: boolean }) =>
    print(async (run) => (await releases()).runReleaseAdd(run, { ...options, file }), options),
  );
release
  .command('ring <release-id>')
  .description('offer it to more devices, or to fewer')
  .option('--ring <percent>', 'how many of the devices are offered it, 0 to 100')
  .option('--tenant <id>', 'the tenant of --group')
  .option('--group <id>', 'a device group that has it whatever the percentage')
  .option('--json', 'print one JSON document')
  .action((releaseId: string, options: ReleaseRingOptions & { json?: boolean }) =>
    print(
      async (run) => (await releases()).runReleaseRing(run, { ...options, releaseId }),
      options,
    ),
  );
command(release, 'list', 'list the releases', async () => (await releases()).runReleaseList);
release
  .command('withdraw <release-id>')
  .description('offer it to nobody any more')
  .option('--json', 'print one JSON document')
  .action((releaseId: string, options: { json?: boolean }) =>
    print(async (run) => (await releases()).runReleaseWithdraw(run, { releaseId }), options),
  );

program
  .command('catalog')
  .description('catalogs that the management API shows')
  .command('import <file>')
  .description(
    'smart groups, definitions, categories, legacy apps and policy authority of a tenant',
  )
  .requiredOption('--tenant <id>', 'tenant id')
  .option('--json', 'print one JSON document')
  .action((file: string, options: { tenant: string; json?: boolean }) =>
    print(async (run) => (await commands()).runCatalogImport(run, { ...options, file }), options),
  );

/** What names the tenant of `dump`, `diff` and `apply`. */
function ofTenant(made: Command): Command {
  return made
    .option('--tenant <id>', 'tenant id, of this installation')
    .option('--url <origin>', 'a hub; its management key is in GATEWARDEN_MANAGEMENT_KEY')
    .option('--json', 'print one JSON document');
}

ofTenant(
  program.command('dump').description("a tenant's gateway configuration as one YAML file"),
).action((options: TenantFileOptions & { json?: boolean }) =>
  print(async (run) => (await operator()).runDump(run, options), options),
);
ofTenant(program.command('diff <file>').description('what applying a file would change'))
  .option('--exit-code', 'end with 1 where there is a difference')
  .action((file: string, options: TenantFileOptions & { json?: boolean; exitCode?: boolean }) =>
    print(async (run) => (await operator()).runDiff(run, { ...options, file }), options),
  );
ofTenant(program.command('apply <file>').description('make the tenant as a file says'))
  .option('--dry-run', 'change nothing, print what would be')
  .action((file: string, options: TenantFileOptions & { json?: boolean; dryRun?: boolean }) =>
    print(async (run) => (await operator()).runApply(run, { ...options, file }), options),
  );

const key = program.command('key').description('keys');
command(
  key,
  'management',
  'make a management key, and opt the tenant in',
  async () => (await commands()).runKeyManagement,
)
  .requiredOption('--tenant <id>', 'tenant id')
  .requiredOption('--name <name>', 'what it is for')
  .option('--scopes <list>', 'scopes with commas between; all where left out')
  .option('--expires-in <duration>', 'such as 30d; never where left out');

command(key, 'export', 'make a log-export key', async () => (await commands()).runKeyExport)
  .requiredOption('--tenant <id>', 'tenant id')
  .option('--app <name>', 'for the LLM requests of this app')
  .option('--all-apps', 'for the LLM requests of all apps')
  .option('--backend <id>', 'for the tool calls of this MCP backend')
  .option('--all-backends', 'for the tool calls of all MCP backends')
  .option('--name <name>', 'what it is for')
  .option('--expires-in <duration>', 'such as 30d; never where left out');
command(
  key,
  'list',
  'list the log-export keys, without their secrets',
  async () => (await commands()).runKeyList,
).option('--tenant <id>', 'only of this tenant');
command(
  key,
  'revoke',
  'revoke a log-export key at once',
  async () => (await commands()).runKeyRevoke,
).requiredOption('--key-id <id>', 'its id');

program
  .command('leaked <file>')
  .description('which keys and tokens stand in a file that leaked (-: standard input)')
  .option('--revoke', 'revoke those that work, at once')
  .option('--json', 'print one JSON document')
  .action((file: string, options: { json?: boolean; revoke?: boolean }) =>
    print(
      async (run) => (await import('./issued-keys.ts')).runLeaked(run, { ...options, file }),
      options,
    ),
  );

async function serve(options: { json?: boolean }): Promise<void> {
  settleCollector();
  const config = readConfig(readEnv());
  const log = createLog(config.logLevel);
  let hub: Hub | null = null;
  let stopping = false;
  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ event: 'stopping', reason }, 'stopping');
    const drained = (await hub?.stop()) ?? true;
    log.info({ event: 'stopped', drained }, 'stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM').catch(fail));
  process.on('SIGINT', () => void stop('SIGINT').catch(fail));
  whenNpmEnds(() => void stop('npm ended').catch(fail));
  // Started by a parent that speaks IPC: its end is ours.
  process.on('disconnect', () => void stop('parent ended').catch(fail));
  // A broken promise nobody waited for is a bug, but no reason to drop every device's connection.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  for (const name of unknownVariables()) {
    log.warn({ event: 'unknown_variable', name }, describeUnknownVariable(name));
  }
  if (!config.managementApi.isSet) {
    log.info('LLMGATEWAY_MANAGEMENT_API_ENABLED is not set: the management API is off');
  }
  if (config.mcpPkce === 'off') {
    log.warn('MCP_OAUTH_PKCE=off: whoever gets hold of a code can exchange it');
  }
  const { startHub } = await import('./server.ts');
  hub = await startHub(config, log);
  log.info({ event: 'ready', url: hub.url, port: hub.port }, `ready at ${hub.url}`);
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ url: hub.url, port: hub.port })}\n`);
  }
}

async function readable(answer: object): Promise<string> {
  // A file is for redirecting: nothing may stand around it.
  if ('file' in answer) return String(answer.file).replace(/\n$/, '');
  if ('changes' in answer) return (await operator()).readableDifference(answer);
  return Object.entries(answer)
    .map(([name, value]) => {
      if (!Array.isArray(value)) return `${name}: ${String(value)}`;
      return value.length === 0
        ? `${name}: none`
        : value
            .map((one) => (typeof one === 'string' ? `${name}: ${one}` : JSON.stringify(one)))
            .join('\n');
    })
    .join('\n');
}

function fail(error: unknown): never {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage);
  const known =
    error instanceof ConfigError || error instanceof CommandFailed || isDatabaseAway(error);
  const message = error instanceof Error ? error.message || error.name : String(error);
  const where = isDatabaseFull(error)
    ? 'the disk of the database is full: '
    : isDatabaseReadOnly(error)
      ? 'the database is read-only: '
      : isDatabaseAway(error)
        ? 'the database cannot be reached (DATABASE_URL): '
        : '';
  process.stderr.write(`hub: ${where}${message.split('\n')[0]}\n`);
  if (!known && error instanceof Error && readEnv().HUB_LOG_LEVEL === 'debug') {
    process.stderr.write(`${error.stack}\n`);
  }
  process.exit(exitCodeOf(error));
}

// Whoever reads us may have enough, as `head` does: there is nothing to complain of.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// `serve` is the default and takes no argument: a word in its place is a command that there is none of.
const [word] = process.argv.slice(2);
if (word !== undefined && !word.startsWith('-')) {
  const known = [...program.commands.map((one) => one.name()), 'help'];
  if (!known.includes(word)) {
    fail(new CommandFailed(`there is no command "${word.slice(0, 100)}": see --help`, EXIT.usage));
  }
}
program.parseAsync().catch(fail);
