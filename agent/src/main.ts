// Where the agent's program begins: in little memory and with compiled code that is kept, then the command line.
import { relaunchWithMemorySettings } from './runtime/process-relauncher.ts';

relaunchWithMemorySettings();
await import('./cli/command-line.ts');
