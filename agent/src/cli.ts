// The agent's command line. Every command: one JSON document with --json, logs on standard error, exit 0, or one line and
// another code of `EXIT`.
import { completionFor, isProgramName, SHELLS, type Shell } from '@gatewarden/shared/completion.ts';
import { EXIT, type ExitCode } from '@gatewarden/shared/exit-codes.ts';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { useCodeCache } from './code-cache.ts';
import type { EnrollOptions } from './commands/enroll.ts';
import type { GlobalOptions } from './commands/locate.ts';
import type { QuarantineOptions } from './commands/quarantine.ts';
import type { RequestOptions } from './commands/request.ts';
import type { BundleOptions } from './commands/support-bundle.ts';
import { defaultDataDir } from './config/data-dir.ts';
import { ENFORCEMENT_MODES } from './config/toml.ts';
import { codeOf, messageOf, PlainError } from './errors.ts';
import { forgetStage } from './lean.ts';
import { AGENT_VERSION } from './version.ts';

type Action<O extends GlobalOptions> = (
  options: O,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
) => Promise<void>;

// Each command loads only what it needs: `status` opens no database, `scan` no HTTP client.
const program = new Command('gatewarden')
  .description('The Gatewarden agent: finds applications and processes, carries out decisions')
  .version(AGENT_VERSION)
  .exitOverride()
  .configureOutput({ outputError: () => undefined });

command('run', 'run the service in the foreground', async (options, env) =>
  (await import('./commands/run.ts')).run(options, env),
);
command<EnrollOptions>(
  'enroll',
  'write the configuration and keep the token',
  async (options, env) => (await import('./commands/enroll.ts')).enroll(options, env),
)
  .requiredOption('--base-url <url>', "the hub's address")
  .requiredOption('--tenant-id <uuid>', 'the tenant')
  .requiredOption('--subscriber-id <id>', 'who the device belongs to')
  .option('--auth-token-stdin', 'read the agent token from standard input')
  .option('--proxy <url>', 'the proxy by which the hub is reached')
  .option('--ca-file <path>', "certificates (PEM) of the company's own authority")
  .option('--pin-sha256 <hex>', "SHA-256 of the hub's public key")
  .option(
    '--owner <account>',
    'the account of the person who uses this device; the one that calls sudo',
  )
  .addOption(
    new Option('--enforcement <mode>', 'what the agent may do').choices(ENFORCEMENT_MODES),
  );
command('scan', 'one discovery pass: prints what would be sent', async (options, env) =>
  (await import('./commands/scan.ts')).scanOnce(options, env),
);
command('processes', 'what runs now, and what would be decided', async (options, env) =>
  (await import('./commands/inspect.ts')).showProcesses(options, env),
);
command('why', 'why something may run or may not', async (options, env, args) =>
  (await import('./commands/why.ts')).why(options, env, args),
).argument('<what>', 'a process id, the name of a process or application, or the id of a decision');
command('status', 'how the running service is', async (options, env) =>
  (await import('./commands/inspect.ts')).showStatus(options, env),
);
command('queue', 'the alerts that wait', async (options, env) =>
  (await import('./commands/inspect.ts')).showQueue(options, env),
);
command<QuarantineOptions>(
  'quarantine',
  'what is in quarantine, and where it is kept',
  async (options, env) => (await import('./commands/quarantine.ts')).showQuarantine(options, env),
).option('--release-all', 'put everything back, while no service runs');
command('flush', 'send what waits now', async (options, env) =>
  (await import('./commands/control.ts')).flush(options, env),
);
command('update', 'ask the hub for a newer version now', async (options, env) =>
  (await import('./commands/control.ts')).lookForUpdate(options, env),
);
for (const to of ['off', 'on'] as const) {
  command(to, `turn enforcement ${to} on this device`, async (options, env) =>
    (await import('./commands/control.ts')).switchEnforcement(to, options, env),
  );
}
command<RequestOptions>('request', 'ask for an exception on this device', async (options, env) =>
  (await import('./commands/request.ts')).request(options, env),
)
  .option('--entity <id>', 'the application, by its id')
  .option('--process <name>', 'or a process that belongs to none, by its name')
  .requiredOption('--reason <text>', 'why');
command<BundleOptions>(
  'support-bundle',
  'write a file for whoever helps, with secrets and names cut out',
  async (options, env) =>
    (await import('./commands/support-bundle.ts')).supportBundle(options, env),
).option('--output <file>', 'where to');
program
  .command('completion')
  .description('a script by which your shell completes commands: source it')
  .addArgument(new Argument('<shell>').choices(SHELLS))
  .option('--name <name>', 'how the program is called there', programName, 'gatewarden')
  .action((shell: Shell, { name }: { name: string }) => {
    process.stdout.write(completionFor(shell, program, name));
  });
command('doctor', 'look for the usual mistakes', async (options, env) =>
  (await import('./commands/doctor.ts')).doctor(options, env),
);

function command<O extends GlobalOptions = GlobalOptions>(
  name: string,
  description: string,
  action: Action<O>,
): Command {
  return program
    .command(name)
    .description(description)
    .option('--config <file>', 'the configuration file')
    .option('--data-dir <dir>', 'the data folder')
    .option('--json', 'print one JSON document')
    .action((...given: unknown[]) => {
      // Arguments, options, the command itself.
      const options = given.at(-2) as O;
      const args = given.slice(0, -2) as string[];
      useCodeCache(options.dataDir ?? defaultDataDir(process.env));
      if (name !== 'run') forgetStage();
      return action(options, process.env, args);
    });
}

// Whoever reads us may have enough, as `head` does: then there is nothing left to do, and nothing to complain of.
process.stdout.on('error', (error) => {
  if (codeOf(error) === 'EPIPE') process.exit(0);
  throw error;
});

/** Ends the process: a call into a keychain that hangs must not keep it. */
async function main(): Promise<void> {
  try {
    await program.parseAsync();
    await end(0);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return end(0);
    const known = error instanceof PlainError || error instanceof CommanderError;
    const line = known ? messageOf(error) : `unexpected: ${messageOf(error)}`;
    process.stderr.write(`${line.replace(/^error: /, '').replaceAll('\n', ' ')}\n`);
    await end(exitCodeOf(error));
  }
}

/** Returns the value of `--name`; throws unless it is the name of a program. */
function programName(value: string): string {
  if (isProgramName(value)) return value;
  throw new InvalidArgumentError('It must be the name of a program.');
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return EXIT.usage;
  return error instanceof PlainError ? error.exitCode : EXIT.negative;
}

/** Exits once a slow reader of our output has all of it. */
async function end(code: number): Promise<void> {
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(code);
}

await main();
