// Registration of the hub's commands: each is declared once, with its help, and loads its code when it runs.
import { addNotes } from '@gatewarden/shared/cli/help.ts';
import type { Columns } from '@gatewarden/shared/cli/table.ts';
import { type Command, Option } from 'commander';
import type { CommandSpec, CommonOptions } from './spec.ts';

/** Program name in usage lines and examples. */
export const PROGRAM = 'gatewarden hub';

const INSTALLATION = {
  HUB_DATA_DIR: 'data folder of the embedded database (default: .data/hub)',
  DATABASE_URL: 'PostgreSQL of the installation, instead of the embedded database',
  HUB_MASTER_KEY_FILE: 'file with the master key (HUB_MASTER_KEY: the key itself)',
};

/** Adds a command that prints an answer and ends. Returns it for further configuration. */
export function addCommand<Options extends object>(
  parent: Command,
  spec: CommandSpec<Options & CommonOptions>,
): Command {
  const command = parent.command(spec.name).description(spec.summary);
  for (const argument of command.registeredArguments) argument.description = spec.argument ?? '';
  spec.configure?.(command);
  command
    .addOption(new Option('--json', 'print one JSON document; errors as {"error":{code,message}}'))
    .addOption(new Option('-q, --quiet', 'no progress'));
  addNotes(command, PROGRAM, {
    examples: spec.examples,
    environment: { ...spec.environment, ...INSTALLATION },
  });
  return command.action(async (...given: unknown[]) => {
    // Commander passes arguments, then options, then the command itself.
    const options = given.at(-2) as Options & CommonOptions;
    const names = command.registeredArguments.map((argument) => argument.name());
    const named = names.map((name, i) => [camelCase(name), given[i]]);
    const { runCommand } = await import('./run.ts');
    await runCommand(spec, { ...options, ...Object.fromEntries(named) });
  });
}

const camelCase = (name: string) =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns a display for an answer with a list: a table, or `empty` if the list has no rows. */
export function displayTable<Row>(
  property: string,
  columns: Columns<Row>,
  empty: string,
): (answer: object) => Promise<string> {
  return async (answer) => {
    const rows = (answer as Record<string, Row[]>)[property] ?? [];
    if (rows.length === 0) return empty;
    const { renderTable } = await import('@gatewarden/shared/cli/table.ts');
    const more = (answer as { truncated?: boolean }).truncated === true;
    const note = more ? `\nShowing the first ${rows.length}. Use --all for all.` : '';
    return `${renderTable(columns, rows)}${note}`;
  };
}

/** Adds the options of a command that destroys something. */
export function destructive(command: Command): Command {
  return command
    .option('-y, --yes', 'do not ask; required without a terminal')
    .option('--dry-run', 'list what would happen, and change nothing');
}

/** Adds the options of a list. */
export function paged(command: Command): Command {
  return command
    .option('--limit <count>', 'maximum number of rows', '100')
    .option('--all', 'all rows');
}

/** Adds `--tenant`, which may be left out in an installation with a single tenant. */
export function ofTenant(command: Command): Command {
  return command.option(
    '--tenant <tenant>',
    'tenant by id or name (default: the only tenant of the installation)',
  );
}
