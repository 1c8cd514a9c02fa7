// Interpreters and other programs that run a script or a module from their words. Pure.
import {
  type InterpreterOptions,
  interpreterOptions,
  programName,
  SHELLS,
} from '@gatewarden/shared/launchers.ts';
import { GO_VALUE_FLAGS } from './option-values.ts';
import { addressLaunch, launchOf, type ParsedLaunch } from './target.ts';
import { readConsoleTask, type TaskRun } from './tasks.ts';

/** Programs that run a script or a module from their words. */
const SCRIPT_RUNNERS: ReadonlyMap<string, 'script' | 'module'> = new Map([
  ['mcp', 'script'],
  ['fastmcp', 'script'],
  ['go', 'script'],
  ['streamlit', 'script'],
  ['chainlit', 'script'],
  ['uvicorn', 'module'],
  ['gunicorn', 'module'],
  ['hypercorn', 'module'],
]);

/** Reads a program that runs a script or module; null for a program that the table does not contain. */
export function readScriptRunner(words: readonly string[]): ParsedLaunch | null {
  const [command = '', ...args] = words;
  const program = programName(command);
  const kind = SCRIPT_RUNNERS.get(program);
  const isGo = program === 'go';
  const word = args.find(
    (arg, at) =>
      !arg.startsWith('-') &&
      !/^(run|dev|install)$/.test(arg) &&
      !(isGo && GO_VALUE_FLAGS.has(args[at - 1] ?? '')),
  );
  if (kind === undefined || word === undefined) return null;
  if (kind === 'module') return launchOf(program, { kind, name: word }, { word, inProject: true });
  if (/^https?:/.test(word)) return addressLaunch(word, program);
  if (!/[./\\]/.test(word)) return null;
  // `server.py:mcp` names the object in it, too.
  const path = word.replace(/(\.py):\w+$/, '$1');
  const folder = isGo ? args.indexOf('-C') : -1;
  const directory = folder < 0 ? null : (args[folder + 1] ?? null);
  const target = { kind: 'script', path } as const;
  return launchOf(isGo ? 'go' : 'python', target, { word, directory, inProject: true });
}

/** An interpreter has many names: with a version, without, and Windows' own. */
function interpreterName(program: string): string {
  if (/^(python[\d.]*[td]?|py|pythonw)$/.test(program)) return 'python';
  return /^node(js)?(-\d+)?$/.test(program) ? 'node' : program;
}

/** Reads an interpreter's script, module, code or task; null for a program that is none. */
export function readInterpreter(
  words: readonly string[],
  taskLaunch: (task: TaskRun) => ParsedLaunch,
): ParsedLaunch | null {
  const [command = '', ...args] = words;
  const program = programName(command);
  if (/^(powershell|pwsh)$/.test(program)) return readPowerShell(program, args);
  const options = interpreterOptions(program);
  if (options === null) return null;
  const name = interpreterName(program);
  const { at, context, directory } = skipOptions(program, options, args);
  const arg = args[at];
  const next = args[at + 1];
  if (arg === undefined) {
    return args.length === 0 ? null : launchOf(name, { kind: 'code', text: args.join('\0') });
  }
  if (options.module.has(arg) && next !== undefined) {
    const target = { kind: 'module', name: next } as const;
    return launchOf(name, target, { word: next, context, inProject: true });
  }
  if (arg === '--run' && next !== undefined) {
    return taskLaunch({ runner: 'npm', task: next, directory, context, command: [] });
  }
  if (arg.startsWith('-')) return launchOf(name, { kind: 'code', text: args.slice(at).join('\0') });
  if (/^https?:\/\//.test(arg)) return addressLaunch(arg, name);
  const task = readConsoleTask(name, arg, args.slice(at + 1));
  if (task !== null) return taskLaunch(task);
  return launchOf(name, { kind: 'script', path: arg }, { word: arg, context, directory });
}

interface Skipped {
  /** The first word that names what runs, or an option behind which that is. */
  at: number;
  /** Options that decide which code is found. */
  context: string[];
  directory: string | null;
}

function skipOptions(
  program: string,
  options: InterpreterOptions,
  args: readonly string[],
): Skipped {
  const skipped: Skipped = { at: 0, context: [], directory: null };
  for (; skipped.at < args.length; skipped.at++) {
    const arg = args[skipped.at] ?? '';
    const next = args[skipped.at + 1] ?? '';
    if (isCodeOption(program, options, arg)) break;
    if (program === 'bun' && arg === '--cwd') skipped.directory = next;
    // Java finds its classes there.
    if (program === 'java' && options.valued.has(arg)) skipped.context.push(arg, next);
    if (isValuedOption(program, options, arg)) skipped.at++;
    else if (!arg.startsWith('-') && arg !== '' && !isOwnWord(program, arg)) break;
  }
  return skipped;
}

function isCodeOption(program: string, options: InterpreterOptions, arg: string): boolean {
  if (options.code.has(arg) || options.module.has(arg)) return true;
  // Node runs scripts of the manifest, too.
  if (program === 'node' && arg === '--run') return true;
  return SHELLS.has(program) && /^-[a-z]*c$/.test(arg);
}

function isValuedOption(program: string, options: InterpreterOptions, arg: string): boolean {
  if (options.valued.has(arg) || arg === '--cwd') return true;
  return SHELLS.has(program) && /^-[a-z]*o$/.test(arg);
}

const isOwnWord = (program: string, arg: string): boolean =>
  /^(run|exec)$/.test(arg) && /^(bun|deno|dotnet)$/.test(program);

function readPowerShell(program: string, args: readonly string[]): ParsedLaunch {
  const file = args.findIndex((arg) => /^-f(ile)?$/i.test(arg));
  const path = args[file + 1];
  if (file >= 0 && path !== undefined) {
    return launchOf(program, { kind: 'script', path }, { word: path });
  }
  return launchOf(program, { kind: 'code', text: args.join('\0') });
}
