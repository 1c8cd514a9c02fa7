// Manual pages from the trees of commands, in man(7): `node scripts/man-page.ts FOLDER` writes gatewarden.1 (as on a device
// with the agent), gatewarden-hub.1 and gatewarden-collect.1.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitLines, notesOf } from '../shared/cli/help.ts';

/** The part of commander's `Command` that a manual page shows. */
interface DocumentedCommand {
  name(): string;
  description(): string;
  usage(): string;
  readonly commands: readonly DocumentedCommand[];
  readonly options: readonly {
    readonly flags: string;
    readonly description: string;
    readonly hidden: boolean;
    readonly defaultValue?: unknown;
    readonly argChoices?: readonly string[] | undefined;
  }[];
}

/** Returns the manual page of a program. `name`: how the program is called, as in its file name. */
export function manPage(name: string, program: DocumentedCommand, version: string): string {
  const commands = leavesOf(program, name);
  return [
    `.TH ${name.toUpperCase()} 1 "" "Gatewarden ${version}" "Gatewarden manual"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(program.description())}`,
    '.SH SYNOPSIS',
    ...(program.commands.length === 0
      ? [`.B ${roff(name)}`, roff(program.usage())]
      : [`.B ${roff(name)}`, '.I command', '[options]']),
    '.SH COMMANDS',
    ...commands.flatMap(({ path, command }) => commandLines(path, command)),
    ...environmentLines(commands.map(({ command }) => command)),
    '.SH EXIT STATUS',
    ...exitLines().flatMap((line) => {
      const [code = '', ...meaning] = line.split(/ +/);
      return ['.TP', `.B ${code}`, roff(meaning.join(' '))];
    }),
    '',
  ].join('\n');
}

interface Leaf {
  path: string;
  command: DocumentedCommand;
}

function leavesOf(command: DocumentedCommand, path: string): Leaf[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`));
}

function commandLines(path: string, command: DocumentedCommand): string[] {
  const shown = command.options.filter((option) => !option.hidden);
  const { examples = [] } = notesOf(command) ?? {};
  return [
    `.SS "${roff(`${path} ${command.usage()}`.trim())}"`,
    `${roff(command.description())}.`,
    ...shown.flatMap((option) => ['.TP', `.B ${roff(option.flags)}`, roff(optionText(option))]),
    ...(examples.length === 0
      ? []
      : ['.PP', 'Examples:', '.PP', '.nf', '.RS 4', ...examples.map(roff), '.RE', '.fi']),
  ];
}

function optionText(option: DocumentedCommand['options'][number]): string {
  const { description, argChoices, defaultValue } = option;
  return [
    description,
    ...(argChoices === undefined ? [] : [`(${argChoices.join(', ')})`]),
    ...(defaultValue === undefined ? [] : [`(default: ${String(defaultValue)})`]),
  ].join(' ');
}

function environmentLines(commands: readonly DocumentedCommand[]): string[] {
  const variables = new Map(
    commands.flatMap((command) => Object.entries(notesOf(command)?.environment ?? {})),
  );
  if (variables.size === 0) return [];
  const lines = [...variables].sort(([a], [b]) => a.localeCompare(b));
  return [
    '.SH ENVIRONMENT',
    ...lines.flatMap(([name, meaning]) => ['.TP', `.B ${roff(name)}`, roff(meaning)]),
  ];
}

/** Returns text with roff's own characters escaped; a line never begins with a control character. */
function roff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** Returns the manual page of `gatewarden` on a device where only the agent is installed. */
export async function agentManPage(version: string): Promise<string> {
  const { createAgentProgram } = await import('../agent/src/cli/command-tree.ts');
  return manPage('gatewarden', createAgentProgram('gatewarden'), version);
}

if (import.meta.main) {
  const [folder = 'dist/man'] = process.argv.slice(2);
  const { createHubProgram } = await import('../hub/src/cli/program.ts');
  const { createCollectorProgram } = await import('../collector/src/program.ts');
  const { HUB_VERSION: version } = await import('../hub/src/app/version.ts');
  const pages = {
    'gatewarden.1': await agentManPage(version),
    'gatewarden-hub.1': manPage('gatewarden-hub', createHubProgram(), version),
    'gatewarden-collect.1': manPage('gatewarden-collect', createCollectorProgram(), version),
  };
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(pages)) writeFileSync(join(folder, file), text);
}
