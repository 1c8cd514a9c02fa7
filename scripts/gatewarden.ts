// `gatewarden`: the program for all commands. A command of the hub, the agent or the collector runs in this process.
import { join } from 'node:path';
import { completionFor, isProgramName, SHELLS, type Shell } from '../shared/completion.ts';
import { createTree } from './command-tree.ts';
import { UNINSTALL_HELP, uninstall } from './uninstall.ts';

const ROOT = join(import.meta.dirname, '..');
const HELP = `Usage: gatewarden [command]   (in this folder: npx gatewarden)

  start        hub, console, a gateway node, and an agent on this machine in monitor mode (the default)
  hub …        administer the hub (gatewarden hub --help)
  agent …      inspect and control the agent of this device (gatewarden agent --help)
  gateway …    run a node of the LLM gateway (gatewarden gateway --help)
  collect …    follow a log export into files (gatewarden collect --help)
  uninstall    remove everything that start created (gatewarden uninstall --help)
  completion   print a completion script for bash, zsh, fish or pwsh
  help         show this help

Examples:
  gatewarden hub init
  gatewarden agent scan
  source <(gatewarden completion bash)

Exit codes: 0 success, 1 negative answer, 2 usage error, 3 unreachable, 4 refused
`;

const USAGE = 2;
const MAIN_OF: Readonly<Record<string, string>> = {
  hub: 'hub/src/main.ts',
  agent: 'agent/src/main.ts',
  collect: 'collector/src/main.ts',
  gateway: 'gateway/src/main.ts',
};
const UNINSTALL_OPTIONS = ['--json', '--yes', '-y', '--dry-run'];

const [command = 'start', ...words] = process.argv.slice(2);
const main = MAIN_OF[command];
const asksHelp = words.some((word) => ['--help', '-h'].includes(word));
if (main !== undefined) await runProgram(main);
else if (['help', '--help', '-h'].includes(command)) process.stdout.write(HELP);
else if (command === 'completion') await printCompletion(words);
else if (command === 'start' && words.length === 0) await import('./start.ts');
else if (command === 'uninstall' && asksHelp) process.stdout.write(UNINSTALL_HELP);
else if (command === 'uninstall' && words.every((word) => UNINSTALL_OPTIONS.includes(word))) {
  await runUninstall();
} else {
  const unknown = [command, ...words].join(' ');
  failUsage(`unknown command "${unknown}"; see "gatewarden help"`);
}

/** Runs the program with the remaining arguments, as if it had been started directly. */
async function runProgram(path: string): Promise<void> {
  const file = join(ROOT, path);
  process.argv.splice(1, 2, file);
  await import(file);
}

async function runUninstall(): Promise<void> {
  const options = {
    json: words.includes('--json'),
    yes: words.includes('--yes') || words.includes('-y'),
    dryRun: words.includes('--dry-run'),
  };
  try {
    process.exitCode = await uninstall(options);
  } catch (error) {
    process.stderr.write(`gatewarden: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

async function printCompletion([shell = '', flag, name = 'gatewarden', ...more]: string[]) {
  const isNamed = flag === undefined || (flag === '--name' && isProgramName(name));
  if (!isShell(shell) || !isNamed || more.length > 0) {
    return failUsage(`usage: gatewarden completion ${SHELLS.join('|')} [--name NAME]`);
  }
  process.stdout.write(completionFor(shell, await createTree(), name));
}

function isShell(text: string): text is Shell {
  return (SHELLS as readonly string[]).includes(text);
}

function failUsage(message: string): void {
  process.stderr.write(`gatewarden: ${message}\n`);
  process.exitCode = USAGE;
}
