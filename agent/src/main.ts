// Entry point of the agent: relaunches with memory settings and cached code, then runs the command line.
import { relaunchWithMemorySettings } from './runtime/process-relauncher.ts';

relaunchWithMemorySettings();
await import('./cli/command-line.ts');
