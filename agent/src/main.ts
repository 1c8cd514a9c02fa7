// Where the agent's program begins: in little memory and with compiled code that is kept, then the command line.
import { replaceByLean } from './lean.ts';

replaceByLean();
await import('./cli.ts');
