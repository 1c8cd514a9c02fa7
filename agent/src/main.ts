// Where the agent's program begins: in little memory and with compiled code that is kept, then the command line.
import { replaceByLean } from './runtime/process-relauncher.ts';

replaceByLean();
await import('./cli/command-line.ts');
