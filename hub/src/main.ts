// The hub's command line. Answers go to standard output, logs to standard error.

import { fail } from './cli/failure.ts';
import { createHubProgram } from './cli/program.ts';

// A reader that closes the pipe, as `head` does, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const HELP = ['-h', '--help', '-V', '--version'];
const args = process.argv.slice(2);
const [first = '-'] = args;
// Without a command, the hub is served.
const words = first.startsWith('-') && !HELP.includes(first) ? ['serve', ...args] : args;

createHubProgram().parseAsync(words, { from: 'user' }).catch(fail);
