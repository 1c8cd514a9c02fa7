// Questions to the person at the terminal. Prompts go to standard error, so that standard output has the answer only.
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { UsageError } from '../platform/config/config.ts';
import { CommandFailed } from './exit-codes.ts';

export interface Terminal {
  /** Both standard input and standard error are a terminal, and the answer is not JSON. */
  isInteractive: boolean;
  confirm(question: string): Promise<boolean>;
  /** Asks for a line of text. */
  input(question: string): Promise<string>;
  /** Asks for a text that is not shown. */
  password(question: string): Promise<string>;
}

/** Opens the terminal of this process. Its prompts are loaded with the first question. */
export function openTerminal({ isJson }: { isJson: boolean }): Terminal {
  const context = { output: process.stderr };
  return {
    isInteractive: !isJson && process.stdin.isTTY === true && process.stderr.isTTY === true,
    confirm: async (message) =>
      (await import('@inquirer/confirm')).default({ message, default: false }, context),
    input: async (message) => (await import('@inquirer/input')).default({ message }, context),
    password: async (message) =>
      (await import('@inquirer/password')).default({ message, mask: true }, context),
  };
}

/**
 * Requires consent to destroy something: `--yes`, or an answer at the terminal. Throws UsageError without a terminal, and
 * CommandFailed for a no.
 * `isScripted`: a command of the operating contract, which scripts run without `--yes`.
 */
export async function requireConsent(
  terminal: Terminal | undefined,
  { yes, isScripted }: { yes?: boolean | undefined; isScripted?: boolean },
  question: string,
): Promise<void> {
  if (yes === true) return;
  if (terminal?.isInteractive !== true) {
    if (isScripted === true) return;
    throw new UsageError(`${question} Add --yes to confirm, or --dry-run to see what would happen`);
  }
  if (!(await terminal.confirm(question))) {
    throw new CommandFailed('canceled: nothing was changed', EXIT.negative, 'canceled');
  }
}
