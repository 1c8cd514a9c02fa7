// The agent's command line. Every command prints a JSON document with --json, and logs on standard error. A failure is a
// line on standard error and a code of `EXIT`.
import { errorDocument, wantsJson } from '@gatewarden/shared/cli/json-error.ts';
import { EXIT, type ExitCode } from '@gatewarden/shared/exit-codes.ts';
import { CommanderError } from 'commander';
import { codeOf, messageOf, PlainError } from '../runtime/errors.ts';
import { hasPrinted } from './command-context.ts';
import { createAgentProgram } from './command-tree.ts';

// A reader that closes the pipe, as `head` does, is no failure.
process.stdout.on('error', (error) => {
  if (codeOf(error) === 'EPIPE') process.exit(0);
  throw error;
});

/** Ends the process: a call into a keychain that hangs must not keep it. */
async function main(args: readonly string[]): Promise<void> {
  try {
    await createAgentProgram().parseAsync(args, { from: 'user' });
    await end(EXIT.ok);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return end(EXIT.ok);
    const known = error instanceof PlainError || error instanceof CommanderError;
    const text = known ? messageOf(error) : `unexpected: ${messageOf(error)}`;
    const message = text.replace(/^error: /, '').replaceAll('\n', ' ');
    const exitCode = exitCodeOf(error);
    process.stderr.write(`${message}\n`);
    // A command that printed its answer prints no second document.
    if (wantsJson(args) && !hasPrinted()) {
      process.stdout.write(errorDocument({ exitCode, message }));
    }
    await end(exitCode);
  }
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return EXIT.usage;
  return error instanceof PlainError ? error.exitCode : EXIT.negative;
}

/** Exits once a slow reader of our output has all of it. */
async function end(code: number): Promise<void> {
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(code);
}

const args = process.argv.slice(2);
// `gatewarden agent status` is `gatewarden status` where only the agent is installed.
await main(args[0] === 'agent' ? args.slice(1) : args);
