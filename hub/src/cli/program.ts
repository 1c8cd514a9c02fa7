// The tree of the hub's commands. Registration loads no code of a command: that comes with its run.
import { completionFor, isProgramName, SHELLS, type Shell } from '@gatewarden/shared/completion.ts';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { HUB_VERSION } from '../app/version.ts';
import { addAlertCommands } from './alert.ts';
import { PROGRAM } from './command.ts';
import { addConfigurationCommands } from './configuration.ts';
import { addDeviceCommands } from './device.ts';
import { addInstallationCommands } from './installation.ts';
import { addKeyCommands } from './key.ts';
import { addPolicyCommands } from './policy.ts';
import { addReleaseCommands } from './release.ts';
import { addRequestCommands } from './request.ts';
import { addSampleDataCommands } from './sample-data.ts';
import { addTenantCommands } from './tenant.ts';
import { addTokenCommands } from './token.ts';
import { addUserCommands } from './user.ts';

/** Returns the hub's commands. `name`: the program in usage lines. */
export function createHubProgram(name: string = PROGRAM): Command {
  const program = new Command(name)
    .description('Run and administer the Gatewarden hub')
    .version(HUB_VERSION)
    .exitOverride()
    .configureOutput({
      // A failure is a single line, with the suggestion of a similar word in it.
      outputError: (text, write) =>
        write(
          `hub: ${text
            .replace(/^error: /, '')
            .trim()
            .replaceAll('\n', ' ')}\n`,
        ),
    });
  program.addHelpText(
    'after',
    `
Examples:
  ${name} init
  ${name} doctor
  ${name} device list --tenant Acme
  ${name} policy --help`,
  );
  addInstallationCommands(program);
  addTenantCommands(program);
  addUserCommands(program);
  addTokenCommands(program);
  addKeyCommands(program);
  addDeviceCommands(program);
  addPolicyCommands(program);
  addAlertCommands(program);
  addRequestCommands(program);
  addConfigurationCommands(program);
  addReleaseCommands(program);
  addSampleDataCommands(program);
  addCompletion(program);
  return program;
}

function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .option('--name <name>', 'name of the program in your shell', programName, 'gatewarden-hub')
    .addHelpText('after', '\nExample:\n  source <(gatewarden-hub completion bash)')
    .action((shell: Shell, { name }: { name: string }) => {
      process.stdout.write(completionFor(shell, program, name));
    });
}

/** Returns the value of `--name`; throws unless it is the name of a program. */
function programName(value: string): string {
  if (isProgramName(value)) return value;
  throw new InvalidArgumentError('It must be the name of a program.');
}
