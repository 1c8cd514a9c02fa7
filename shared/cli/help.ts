// Notes in the help of a command: environment variables, examples and exit codes, kept for the manual page, too.
import { EXIT, EXIT_MEANINGS } from '../exit-codes.ts';

export interface CommandNotes {
  /** Invocations without the name of the program. */
  examples: readonly string[];
  /** Meaning of each environment variable that the command reads. */
  environment?: Readonly<Record<string, string>>;
}

/** The part of commander's `Command` that notes need. */
interface NotedCommand {
  addHelpText(position: 'after', text: () => string): unknown;
}

const NOTES = new WeakMap<object, CommandNotes>();

/** Adds notes to the help of a command. `program`: how the program is called in examples. */
export function addNotes(command: NotedCommand, program: string, notes: CommandNotes): void {
  const examples = notes.examples.map((example) => `${program} ${example}`.trim());
  NOTES.set(command, { ...notes, examples });
  command.addHelpText('after', () => notesText({ ...notes, examples }));
}

/** Returns the notes of a command, with complete examples; undefined if it has none. */
export function notesOf(command: object): CommandNotes | undefined {
  return NOTES.get(command);
}

function notesText({ examples, environment = {} }: CommandNotes): string {
  const variables = Object.entries(environment);
  const width = Math.max(0, ...variables.map(([name]) => name.length));
  return [
    ...section(
      'Environment',
      variables.map(([name, meaning]) => `${name.padEnd(width)}  ${meaning}`),
    ),
    ...section(examples.length === 1 ? 'Example' : 'Examples', examples),
    ...section('Exit codes', exitLines()),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

/** Returns a line for each exit code with its meaning. */
export function exitLines(): string[] {
  return Object.entries(EXIT_MEANINGS).map(
    ([name, meaning]) => `${EXIT[name as keyof typeof EXIT]}  ${meaning}`,
  );
}
