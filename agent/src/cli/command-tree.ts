// Purpose: the tree of the agent's commands, with their options and help.
// Main types: `Command` of commander; each command is a function in a file <name>-command.ts.
// Invariants: a command loads only what it needs: `status` opens no database, `scan` no HTTP client.
// Depends on: config/ (settings), local-api/socket-client (the running service), store/ (without a service).
// Start reading at `createAgentProgram`, then at the file of a command.
import { addNotes } from '@gatewarden/shared/cli/help.ts';
import { completionFor, isProgramName, SHELLS, type Shell } from '@gatewarden/shared/completion.ts';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { ENFORCEMENT_MODES } from '../config/agent-config.ts';
import { defaultDataDir } from '../config/data-dir.ts';
import { useCodeCache } from '../runtime/code-cache.ts';
import { AGENT_VERSION } from '../version.ts';
import type { GlobalOptions } from './config-locator.ts';
import type { EnrollOptions } from './enroll-command.ts';
import type { ProcessesOptions } from './inspect-commands.ts';
import type { QuarantineOptions } from './quarantine-command.ts';
import type { RequestOptions } from './request-command.ts';
import type { ScanOptions } from './scan-command.ts';
import type { StopOptions } from './stop-command.ts';
import type { BundleOptions } from './support-bundle-command.ts';

/** Program name in usage lines and examples; `agent` may be left out where only the agent is installed. */
const PROGRAM = 'gatewarden agent';

interface CommandSpec<Options> {
  /** Name with its arguments. */
  name: string;
  summary: string;
  /** Invocations without the name of the program. */
  examples: readonly string[];
  environment?: Readonly<Record<string, string>>;
  configure?(command: Command): unknown;
  run(options: Options, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void>;
}

/** Returns the agent's commands. `name`: the program in usage lines. */
export function createAgentProgram(name: string = PROGRAM): Command {
  const program = new Command(name)
    .description('Discover applications and AI tools on this device, and apply its policies')
    .version(AGENT_VERSION)
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  addService(program);
  addInspection(program);
  addControl(program);
  addSupport(program);
  return program;
}

function addService(program: Command): void {
  addCommand(program, {
    name: 'run',
    summary: 'Run the service in the foreground',
    examples: ['run'],
    run: async (options, env) => (await import('./run-command.ts')).run(options, env),
  });
  addCommand<EnrollOptions>(program, {
    name: 'enroll',
    summary: 'Write the configuration, store the token, and register the device with the hub',
    examples: [
      'enroll --base-url https://hub.example.com --tenant-id ID --subscriber-id ada@acme.example --auth-token-stdin <token',
    ],
    environment: { GATEWARDEN_PROXY: 'proxy, if --proxy is not given' },
    configure: (command) =>
      command
        .requiredOption('--base-url <url>', 'address of the hub')
        .requiredOption('--tenant-id <uuid>', 'tenant of the device')
        .requiredOption('--subscriber-id <id>', 'user of the device')
        .option('--auth-token-stdin', 'read the agent token from standard input')
        .option('--auth-token <token>', 'the agent token; on Linux and macOS every user sees it')
        .option('--proxy <url>', 'proxy to the hub')
        .option('--ca-file <path>', "certificates (PEM) of the company's certificate authority")
        .option('--pin-sha256 <hex>', "SHA-256 of the hub's public key")
        .option('--owner <account>', 'account of the user (default: the account that called sudo)')
        .addOption(
          new Option('--enforcement <mode>', 'what the agent may do').choices(ENFORCEMENT_MODES),
        ),
    run: async (options, env) => (await import('./enroll-command.ts')).enroll(options, env),
  });
}

function addInspection(program: Command): void {
  addCommand<ScanOptions>(program, {
    name: 'scan',
    summary: 'Discover once and print what a sync would send; sends nothing',
    examples: ['scan', 'scan --all', 'scan --json'],
    configure: (command) => command.option('--all', 'list everything that was discovered'),
    run: async (options, env) => (await import('./scan-command.ts')).scanOnce(options, env),
  });
  addCommand<ProcessesOptions>(program, {
    name: 'processes',
    summary: 'List the running processes with the policy of each',
    examples: ['processes', 'processes --json'],
    configure: (command) => command.option('--all', 'include threads of the kernel'),
    run: async (options, env) =>
      (await import('./inspect-commands.ts')).showProcesses(options, env),
  });
  addCommand(program, {
    name: 'why',
    summary: 'Explain which policy applies to a process or an application, and why',
    examples: ['why 4711', 'why slack'],
    configure: (command) =>
      command.argument('<what>', 'process id, name of a process or application, or policy id'),
    run: async (options, env, args) => (await import('./why-command.ts')).why(options, env, args),
  });
  addCommand(program, {
    name: 'status',
    summary: 'Show the state of the running service',
    examples: ['status', 'status --json'],
    run: async (options, env) => (await import('./inspect-commands.ts')).showStatus(options, env),
  });
  addCommand(program, {
    name: 'queue',
    summary: 'List the alerts that wait to be sent',
    examples: ['queue'],
    run: async (options, env) => (await import('./inspect-commands.ts')).showQueue(options, env),
  });
  addCommand<QuarantineOptions>(program, {
    name: 'quarantine',
    summary: 'List the quarantined items of this device',
    examples: ['quarantine', 'quarantine --release-all'],
    configure: (command) =>
      command.option('--release-all', 'restore everything, while no service runs'),
    run: async (options, env) =>
      (await import('./quarantine-command.ts')).showQuarantine(options, env),
  });
}

function addControl(program: Command): void {
  addCommand(program, {
    name: 'flush',
    summary: 'Send the waiting alerts now',
    examples: ['flush'],
    run: async (options, env) => (await import('./control-commands.ts')).flush(options, env),
  });
  addCommand(program, {
    name: 'update',
    summary: 'Check for a newer version of the agent now',
    examples: ['update'],
    run: async (options, env) =>
      (await import('./control-commands.ts')).requestUpdate(options, env),
  });
  addCommand<StopOptions>(program, {
    name: 'stop',
    summary: "Stop the agent of this user; the machine's service manager stops a service",
    examples: ['stop', 'stop --delete-data'],
    configure: (command) =>
      command.option(
        '--delete-data',
        'then release the quarantine, and delete the tokens and the data folder',
      ),
    run: async (options, env) => (await import('./stop-command.ts')).stop(options, env),
  });
  for (const to of ['off', 'on'] as const) {
    addCommand(program, {
      name: to,
      summary: `Turn enforcement ${to} on this device (root)`,
      examples: [to],
      run: async (options, env) =>
        (await import('./control-commands.ts')).switchEnforcement(to, options, env),
    });
  }
  addCommand<RequestOptions>(program, {
    name: 'request',
    summary: 'Request access to an application on this device',
    examples: ["request --process slack --reason 'Calls with customers'"],
    configure: (command) =>
      command
        .option('--entity <id>', 'application by id')
        .option('--process <name>', 'process without an application, by name')
        .requiredOption('--reason <text>', 'reason, for the reviewer'),
    run: async (options, env) => (await import('./request-command.ts')).request(options, env),
  });
}

function addSupport(program: Command): void {
  addCommand(program, {
    name: 'doctor',
    summary: 'Check configuration, hub, clock, keychain and sources',
    examples: ['doctor', 'doctor --json'],
    run: async (options, env) => (await import('./doctor-command.ts')).doctor(options, env),
  });
  addCommand<BundleOptions>(program, {
    name: 'support-bundle',
    summary: 'Write a file for support, without secrets and names of users',
    examples: ['support-bundle --output bundle.json'],
    configure: (command) =>
      command.option(
        '--output <file>',
        'file to write (default: gatewarden-support-TIME.json in the working directory)',
      ),
    run: async (options, env) =>
      (await import('./support-bundle-command.ts')).supportBundle(options, env),
  });
  program
    .command('completion')
    .description('Print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .option('--name <name>', 'name of the program in your shell', programName, 'gatewarden')
    .addHelpText('after', '\nExample:\n  source <(gatewarden completion bash)')
    .action((shell: Shell, { name }: { name: string }) => {
      process.stdout.write(completionFor(shell, program, name));
    });
}

function addCommand<Options extends GlobalOptions = GlobalOptions>(
  program: Command,
  spec: CommandSpec<Options>,
): void {
  const command = program.command(spec.name).description(spec.summary);
  spec.configure?.(command);
  command
    .option('--config <file>', 'configuration file')
    .option('--data-dir <dir>', 'data folder')
    .option('--json', 'print one JSON document; errors as {"error":{code,message}}')
    .option('-q, --quiet', 'no progress')
    .action((...given: unknown[]) => {
      // Commander passes arguments, then options, then the command itself.
      const options = given.at(-2) as Options;
      const args = given.slice(0, -2) as string[];
      useCodeCache(options.dataDir ?? defaultDataDir(process.env));
      return spec.run(options, process.env, args);
    });
  addNotes(command, PROGRAM, {
    examples: spec.examples,
    environment: {
      ...spec.environment,
      GATEWARDEN_AGENT_CONFIG: 'configuration file, if --config is not given',
    },
  });
}

/** Returns the value of `--name`; throws unless it is the name of a program. */
function programName(value: string): string {
  if (isProgramName(value)) return value;
  throw new InvalidArgumentError('It must be the name of a program.');
}
