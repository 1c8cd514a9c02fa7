// `npx gatewarden [COMMAND]`: what a newcomer types first, and last. The programs' own commands are passed on as they are.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { UNINSTALL_HELP, uninstall } from './uninstall.ts';

const ROOT = join(import.meta.dirname, '..');
const HELP = `Usage: npx gatewarden [command]

  start        hub, console, and an agent on this machine that only watches (the default)
  hub …        a command of the hub (npx gatewarden hub help)
  agent …      a command of the agent (npx gatewarden agent help)
  uninstall    remove everything that start has made here (see uninstall --help)
  help         this text
`;

const UNINSTALL_OPTIONS = ['--json', '--yes', '-y', '--dry-run'];

const [command = 'start', ...words] = process.argv.slice(2);
if (command === 'start' && words.length === 0) await import('./start.ts');
else if (command === 'hub') pass('hub/src/main.ts');
else if (command === 'agent') pass('agent/src/main.ts');
else if (command === 'uninstall' && words.some((word) => ['--help', '-h'].includes(word))) {
  process.stdout.write(UNINSTALL_HELP);
} else if (command === 'uninstall' && words.every((word) => UNINSTALL_OPTIONS.includes(word))) {
  process.exitCode = await uninstall({
    json: words.includes('--json'),
    yes: words.includes('--yes') || words.includes('-y'),
    dryRun: words.includes('--dry-run'),
  }).catch((error: Error) => {
    process.stderr.write(`gatewarden: ${error.message}\n`);
    return 1;
  });
} else if (['help', '--help', '-h'].includes(command)) process.stdout.write(HELP);
else {
  process.stderr.write(
    `gatewarden: there is no command "${[command, ...words].join(' ')}"; see "npx gatewarden help"\n`,
  );
  process.exitCode = 2;
}

function pass(program: string): void {
  const child = spawn(process.execPath, [join(ROOT, program), ...words], { stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
