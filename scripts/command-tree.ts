// All commands of `gatewarden` as a tree, for completion scripts and manual pages.
import type { CompletedCommand } from '../shared/completion.ts';

/** A command that has no commander program. */
function plain(
  name: string,
  description: string,
  more: Partial<Pick<CompletedCommand, 'commands' | 'options'>> = {},
): CompletedCommand {
  return { name: () => name, description: () => description, commands: [], options: [], ...more };
}

const flag = (long: string, description: string) => ({ long, description, hidden: false });

/** Returns the tree of `gatewarden` with the commands of hub, agent, collector and gateway. */
export async function createTree(): Promise<CompletedCommand> {
  const { createHubProgram } = await import('../hub/src/cli/program.ts');
  const { createAgentProgram } = await import('../agent/src/cli/command-tree.ts');
  const { createCollectorProgram } = await import('../collector/src/program.ts');
  const uninstall = [
    flag('--dry-run', 'list what would be removed'),
    flag('--yes', 'do not ask'),
    flag('--json', 'print one JSON document'),
  ];
  const commands = [
    plain(
      'start',
      'start hub, console, a gateway node, and an agent on this machine in monitor mode',
    ),
    createHubProgram('hub'),
    createAgentProgram('agent'),
    createCollectorProgram('collect'),
    plain('gateway', 'run a node of the LLM gateway', {
      commands: [plain('run', 'run a gateway node, configured by the environment')],
    }),
    plain('uninstall', 'remove everything that start created', { options: uninstall }),
    plain('completion', 'print a completion script for your shell'),
    plain('help', 'show the help'),
  ];
  return plain('gatewarden', 'Gatewarden: hub, agent, log collector and LLM gateway', { commands });
}
