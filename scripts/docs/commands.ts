// Reference pages of the command line: commands of hub, agent and collector as their programs register them, and exit codes.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { block, code, type Derived, referencePage, sentence, table } from './markdown.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

export interface DocumentedParameter {
  description: string;
  default?: unknown;
  choices?: readonly string[];
}

export interface DocumentedCommand {
  name: string;
  description: string;
  usage: string;
  arguments: readonly (DocumentedParameter & {
    name: string;
    required: boolean;
    variadic: boolean;
  })[];
  options: readonly (DocumentedParameter & { flags: string; mandatory: boolean })[];
  /** Text of the help after the generated part. */
  notes: string;
  commands: readonly DocumentedCommand[];
}

const PROGRAMS = [
  {
    title: 'Hub',
    path: 'hub/src/main.ts',
    intro:
      'In a checkout: `npm run -s hub -- COMMAND`. Where the hub is a service: `gatewarden-hub COMMAND`.',
  },
  {
    title: 'Agent',
    path: 'agent/src/cli/command-line.ts',
    intro: 'In a checkout: `npm run -s agent -- COMMAND`. Packages install `gatewarden`.',
  },
  {
    title: 'Collector',
    path: 'collector/src/main.ts',
    intro: 'In a checkout: `npm run -s collect -- OPTIONS`.',
  },
] as const;

/** Starts a program with print-commands.ts preloaded and returns its tree of commands. */
async function readCommands(path: string): Promise<DocumentedCommand> {
  const preload = join(import.meta.dirname, 'print-commands.ts');
  const { stdout } = await run(process.execPath, ['--import', preload, join(ROOT, path)], {
    cwd: ROOT,
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout) as DocumentedCommand;
}

/** Returns docs/reference/cli.md. */
export async function commandsPage(): Promise<Derived> {
  const launcher = await run(process.execPath, [join(ROOT, 'scripts/gatewarden.ts'), 'help']);
  const programs: { title: string; intro: string; tree: DocumentedCommand }[] = [];
  for (const { title, intro, path } of PROGRAMS) {
    programs.push({ title, intro, tree: await readCommands(path) });
  }
  return referencePage('cli', {
    title: 'Command line',
    source: "the programs' own commands",
    body: [
      'Every command prints this with `--help`. The [exit codes](exit-codes.md) are the same everywhere. Variables are in [Configuration](configuration.md).',
      block('text', launcher.stdout),
      ...programs.flatMap(({ title, intro, tree }) => [
        `## ${title}`,
        sentence(tree.description),
        intro,
        ...commandSections(tree),
      ]),
    ],
  });
}

/** Returns the Markdown of a program: an overview, then a section for each command that does something. */
export function commandSections(program: DocumentedCommand): string[] {
  const leaves = leavesOf(program, [program.name]);
  if (leaves.length === 1 && program.commands.length === 0) return commandBody(leaves[0]);
  return [
    table(
      ['Command', 'What it does'],
      leaves.map(({ path, command }) => [
        code(path.slice(1).join(' ')),
        sentence(command.description),
      ]),
    ),
    ...leaves.flatMap((leaf) => [`### ${leaf.path.join(' ')}`, ...commandBody(leaf)]),
  ];
}

interface Leaf {
  path: readonly string[];
  command: DocumentedCommand;
}

function leavesOf(command: DocumentedCommand, path: readonly string[]): Leaf[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((inner) => leavesOf(inner, [...path, inner.name]));
}

function commandBody(leaf: Leaf | undefined): string[] {
  if (leaf === undefined) return [];
  const { path, command } = leaf;
  const rows = [
    ...command.arguments.map((argument) => [
      code(argument.required ? `<${argument.name}>` : `[${argument.name}]`),
      meaningOf(argument),
    ]),
    ...command.options.map((option) => [
      code(option.flags),
      `${option.mandatory ? 'Required. ' : ''}${meaningOf(option)}`,
    ]),
  ];
  return [
    ...(path.length > 1 ? [sentence(command.description)] : []),
    block('sh', `${path.join(' ')} ${command.usage}`),
    ...(rows.length === 0 ? [] : [table(['Parameter', 'Meaning'], rows)]),
    ...noteSections(command.notes),
  ];
}

function meaningOf({ description, choices, default: value }: DocumentedParameter): string {
  return [
    sentence(description),
    ...(choices === undefined ? [] : [`Values: ${choices.map(code).join(', ')}.`]),
    ...(value === undefined || value === false ? [] : [`Default: ${code(String(value))}.`]),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns the notes of a help text: titles with indented lines. Exit codes have a page of their own. */
function noteSections(notes: string): string[] {
  return notes.split(/\n(?=\S[^\n]*:\n)/).flatMap((section) => {
    const [title = '', ...lines] = section.trim().split('\n');
    const text = lines.map((line) => line.replace(/^ {2}/, '')).join('\n');
    if (text.trim() === '') return title === '' ? [] : [sentence(title)];
    if (title.startsWith('Exit codes')) return [];
    return [`${title}`, block(title.startsWith('Example') ? 'sh' : 'text', text)];
  });
}

const MEANINGS: Record<keyof typeof EXIT, string> = {
  ok: 'Success.',
  negative:
    'A negative answer: something differs, is unhealthy or does not exist. Also an invalid configuration.',
  usage: 'An unknown command or option, or a missing or invalid value.',
  unreachable: 'A hub, a service or a database does not answer.',
  refused: 'A hub or a service answered that it refuses.',
};

/** Returns docs/reference/exit-codes.md. */
export function exitCodesPage(): Derived {
  return referencePage('exit-codes', {
    title: 'Exit codes',
    source: 'shared/exit-codes.ts',
    body: [
      'Commands of the hub and of the agent end with a code of this table. A failure is a single line on standard error.',
      table(
        ['Code', 'Name', 'Meaning'],
        Object.entries(EXIT).map(([name, value]) => [
          code(String(value)),
          name,
          MEANINGS[name as keyof typeof EXIT],
        ]),
      ),
      '`diff --exit-code` ends with 0 if nothing differs, with 1 if something does, and with 2 to 4 for a failure.',
    ],
  });
}
