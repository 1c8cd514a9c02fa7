// Declaration of a command of the hub.
import type { Command } from 'commander';
import type { CommandRun } from './operator-commands.ts';

/** Options of every command. */
export interface CommonOptions {
  json?: boolean;
  quiet?: boolean;
}

export interface CommandSpec<Options> {
  /** Name with its arguments, such as `show <device>`; arguments become options of the same name. */
  name: string;
  /** Description of the argument; required for a name with an argument. */
  argument?: string;
  summary: string;
  /** Invocations without the name of the program. */
  examples: readonly string[];
  /** Variables beside those of every command. */
  environment?: Readonly<Record<string, string>>;
  /** Adds the command's own options. */
  configure?(command: Command): unknown;
  /** The command creates an installation if there is none; all others require an existing installation. */
  creates?: boolean;
  /** Whether the command works without an installation, by these options. */
  isRemote?(options: Options): boolean;
  /** The stream of the answer; standard output if left out. */
  output?(options: Options): NodeJS.WritableStream;
  /** Text of the answer for people; `name: value` lines if left out. */
  display?(answer: object): string | Promise<string>;
  load(): Promise<(run: CommandRun, options: Options) => Promise<object>>;
}
