// Preloaded by `node --import` before a program's own file: prints the program's tree of commands as JSON when the program
// parses its arguments, and ends the process. The tree is what the program has registered, so no list is kept here.
import { createRequire } from 'node:module';

interface Parameter {
  name(): string;
  description: string;
  required: boolean;
  variadic: boolean;
  defaultValue?: unknown;
  defaultValueDescription?: string;
  argChoices?: readonly string[];
}

interface Flag {
  flags: string;
  description: string;
  mandatory: boolean;
  hidden: boolean;
  negate: boolean;
  defaultValue?: unknown;
  defaultValueDescription?: string;
  argChoices?: readonly string[];
}

interface RegisteredCommand {
  name(): string;
  description(): string;
  usage(): string;
  helpInformation(): string;
  outputHelp(): void;
  configureOutput(output: { writeOut?(text: string): void }): unknown;
  readonly commands: readonly RegisteredCommand[];
  readonly options: readonly Flag[];
  readonly registeredArguments: readonly Parameter[];
}

function describeCommand(command: RegisteredCommand): object {
  return {
    name: command.name(),
    description: command.description(),
    usage: command.usage(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      description: argument.description,
      required: argument.required,
      variadic: argument.variadic,
      default: argument.defaultValueDescription ?? argument.defaultValue,
      choices: argument.argChoices,
    })),
    options: command.options
      .filter((option) => !option.hidden)
      .map((option) => ({
        flags: option.flags,
        description: option.description,
        mandatory: option.mandatory,
        default:
          option.defaultValueDescription ?? (option.negate ? undefined : option.defaultValue),
        choices: option.argChoices,
      })),
    notes: notesOf(command),
    commands: command.commands
      .filter((inner) => inner.name() !== 'help')
      .map((inner) => describeCommand(inner)),
  };
}

/** Returns the text that `addHelpText` adds after the generated help. */
function notesOf(command: RegisteredCommand): string {
  const help = command.helpInformation();
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text.startsWith(help) ? text.slice(help.length).trim() : '';
}

const require = createRequire(process.argv[1] ?? import.meta.filename);
/** The program's own copy of the library; a workspace can have a version of its own. */
const LIBRARY = 'commander';
const { Command } = require(LIBRARY) as { Command: { prototype: Record<string, unknown> } };
for (const method of ['parse', 'parseAsync']) {
  Command.prototype[method] = function print(this: RegisteredCommand): never {
    process.stdout.write(JSON.stringify(describeCommand(this)));
    process.exit(0);
  };
}
