// Entry point of the agent: enables the cache of compiled code, then runs the command line.
import { defaultDataDir } from './config/data-dir.ts';
import { useCodeCache } from './runtime/code-cache.ts';

useCodeCache(defaultDataDir(process.env));
await import('./cli/command-line.ts');
