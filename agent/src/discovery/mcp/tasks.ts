// Task runners: programs that run a task of their project by its name. A new runner is a new row. Pure.
import { programName } from '@gatewarden/shared/launchers.ts';
import { ASSIGNMENT } from './command-line.ts';

/** The task that a runner is asked to run. */
export interface TaskRun {
  /** The task runner as people write it: `npm`, `php artisan`. */
  runner: string;
  task: string;
  /** The folder of the project where the words name it. */
  directory: string | null;
  /** Options that decide which task it is: a file, a part of the project. */
  context: string[];
  /** The command or the code that the task is given to run. */
  command: string[];
}

interface TaskRunner {
  /** Words before the task's name without a meaning of their own. */
  words?: RegExp;
  /** A word is a task only behind these. */
  after?: RegExp;
  /** Words that are tasks by themselves. */
  alone?: RegExp;
  /** Options that take the next word. */
  valued?: RegExp;
  /** Options that contain the project's folder. */
  directory?: RegExp;
  /** Options behind the task are the runner's, too. */
  optionsBehind?: true;
}

const NODE: TaskRunner = {
  words: /^(run|run-script|rum|urn)$/,
  alone: /^(start|test|dev|serve|restart|stop)$/,
  valued: /^(-w|--workspace|-F|--filter|--loglevel|--script-shell)$/,
  directory: /^(--prefix|-C|--dir|--cwd)$/,
};
const FILE = /^(-f|--file|--makefile|--justfile|--rakefile)$/;
const FOLDER = /^(-C|--directory|-d|--working-directory|--project-dir|-p|--project-directory)$/;
const CONSOLE: TaskRunner = { valued: /^(--env|-e)$/ };

const TASK_RUNNERS: ReadonlyMap<string, TaskRunner> = new Map<string, TaskRunner>([
  ['npm', { ...NODE, after: /^(run|run-script|rum|urn)$/, optionsBehind: true }],
  ['pnpm', NODE],
  ['yarn', NODE],
  ['bun', { ...NODE, after: /^run$/, alone: /^$/ }],
  ['deno', { after: /^task$/, words: /^task$/, directory: /^--cwd$/ }],
  ['nx', { words: /^run$/ }],
  ['turbo', { words: /^run$/, valued: /^--filter$/, directory: /^--cwd$/ }],
  ['make', { valued: FILE, directory: FOLDER, optionsBehind: true }],
  ['gmake', { valued: FILE, directory: FOLDER, optionsBehind: true }],
  ['dart', { after: /^run$/ }],
  ['just', { valued: FILE, directory: FOLDER }],
  ['task', { valued: /^(-t|--taskfile)$/, directory: /^(-d|--dir)$/ }],
  ['rake', { valued: FILE, directory: FOLDER }],
  ['rails', CONSOLE],
  ['thor', {}],
  ['mix', {}],
  ['gradle', { valued: /^-b$/, directory: /^(-p|--project-dir)$/ }],
  ['gradlew', { directory: /^(-p|--project-dir)$/ }],
  ['mvn', { valued: FILE }],
  ['mvnw', { valued: FILE }],
  ['composer', { words: /^(run|run-script|exec)$/, directory: FOLDER }],
  [
    'cargo',
    {
      after: /^run$/,
      words: /^run$/,
      valued: /^(--bin|--example|-p|--package|--manifest-path)$/,
      directory: /^-C$/,
      alone: /^run$/,
    },
  ],
  [
    'dotnet',
    { after: /^run$/, valued: /^(--project|-c|--configuration|-f|--framework)$/, alone: /^run$/ },
  ],
  ['swift', { after: /^run$/, words: /^run$/, directory: /^--package-path$/, alone: /^run$/ }],
  ['invoke', { valued: /^-c$/, directory: /^-r$/ }],
  ['nox', { after: /^-s$/, valued: FILE }],
  ['poe', { directory: FOLDER }],
  ['flask', { valued: /^(-A|--app)$/ }],
  ['django-admin', CONSOLE],
  ['artisan', CONSOLE],
  ['symfony', { words: /^console$/, ...CONSOLE }],
  ...['sail', 'ddev', 'lando', 'herd', 'warden'].map((name): [string, TaskRunner] => [
    name,
    { words: /^(exec|artisan|php|console|drush|composer|npm|rails|bin\/console)$/ },
  ]),
  ['drush', {}],
  ['gulp', { valued: FILE, directory: FOLDER }],
  ['grunt', {}],
  ['lerna', { words: /^run$/, valued: /^--scope$/ }],
  ['moon', { words: /^run$/ }],
  ['rush', {}],
  ['bazel', { after: /^run$/ }],
  ['pants', { words: /^run$/ }],
  ['mage', { directory: FOLDER }],
  ['tox', { after: /^-e$/ }],
  ['sbt', {}],
  ['lein', {}],
  ['bb', {}],
  ['ant', { valued: /^-f$/ }],
  ['doit', {}],
  ['rebar3', {}],
  ['flutter', { alone: /^run$/, after: /^run$/ }],
  ['cabal', { after: /^run$/ }],
  ['stack', { after: /^(run|exec)$/ }],
  ['wp', {}],
  [
    'docker compose',
    {
      after: /^(run|exec|up)$/,
      words: /^(run|exec|up)$/,
      valued:
        /^(-f|--file|-e|--env|--env-file|-v|--volume|-u|--user|-w|--workdir|--name|-p|--project-name|--profile|--publish|--entrypoint)$/,
      directory: /^--project-directory$/,
    },
  ],
]);
/** Options that select the task, beside its name. */
const CONTEXT =
  /^(-f|--file|--makefile|--justfile|--taskfile|-t|-w|--workspace|-F|--filter|--bin|--example|-p|--package|--manifest-path|--project|-A|--app|--project-name)$/;

/** Tasks that run code or a command from the words behind them. */
const EVALUATES = /^(runner|r|eval|exec|tinker|shell|console)$/;

/** Scripts that are a framework's console: the word behind them is a task. */
const CONSOLES = new Set([
  ...['artisan', 'console', 'manage.py', 'rails', 'rake', 'ace', 'ace.js', 'yii', 'think', 'spark'],
  ...[
    'craft',
    'please',
    'hyperf.php',
    'cake',
    'cake.php',
    'bin/magento',
    'magento',
    'occ',
    'wp-cli.phar',
  ],
]);
/** Folders of a project in which its console lies. */
const CONSOLE_FOLDER =
  /(^|\/)((vendor|node_modules|\.?venv|env)\/)?(\.?bin|script|scripts|sbin|Scripts)$/;
/** Task runners that a project has for itself. */
const OF_PROJECT = /^(rails|rake|gradlew|mvnw|artisan|sail|console|drush)$/;
/** Folders of the system and of version managers: a program there is of no project. */
const OF_SYSTEM = /^\/(usr|bin|sbin|opt|snap|nix)\/|[\\/]\.(?!\/)|^[A-Za-z]:\\Program Files/;

/** Reads a task that a program runs; null where it runs none. */
export function readTask(words: readonly string[]): TaskRun | null {
  const [command = '', ...args] = words;
  const program = programName(command);
  if ((program === 'docker' || program === 'podman') && args[0] === 'compose') {
    return readTaskOf('docker compose', null, args.slice(1));
  }
  if (program === 'docker-compose') return readTaskOf('docker compose', null, args);
  const isOfProject = OF_PROJECT.test(program) && !OF_SYSTEM.test(command);
  return readTaskOf(program, isOfProject ? folderOfConsole(command) : null, args);
}

/** Reads the task behind a framework's console; null where a script is none. */
export function readConsoleTask(
  interpreter: string,
  script: string,
  args: readonly string[],
): TaskRun | null {
  const name = script.replaceAll('\\', '/').replace(/^.*\//, '');
  if (!CONSOLES.has(name)) return null;
  return readWith(CONSOLE, `${interpreter} ${name}`, folderOfConsole(script), args);
}

function readTaskOf(
  program: string,
  folder: string | null,
  args: readonly string[],
): TaskRun | null {
  const rules = TASK_RUNNERS.get(program);
  return rules === undefined ? null : readWith(rules, program, folder, args);
}

function readWith(
  rules: TaskRunner,
  runner: string,
  folder: string | null,
  args: readonly string[],
): TaskRun | null {
  const { directory, context, words, isAsked } = readOptions(rules, folder, args);
  const [first] = words;
  if (first === undefined) return null;
  const run = (task: string, command: string[]) => ({ runner, task, directory, context, command });
  let rest = words;
  if (rules.after !== undefined && !isAsked) {
    if (!rules.after.test(first.word))
      return rules.alone?.test(first.word) ? run(first.word, []) : null;
    // Its other words are the arguments: `cargo run -- arguments`.
    if (rules.alone?.test(first.word)) return run(first.word, []);
    rest = words.slice(1);
  }
  const task = rest.find(({ word }) => rules.words?.test(word) !== true);
  if (task === undefined) return null;
  // A service of a composition runs any command.
  const isOpen = EVALUATES.test(task.word) || runner === 'docker compose';
  return run(task.word, isOpen ? args.slice(task.at + 1) : []);
}

interface TaskWords {
  directory: string | null;
  context: string[];
  /** The words that are neither options nor their values, and where each is. */
  words: { word: string; at: number }[];
  /** An option asks for a task. */
  isAsked: boolean;
}

function readOptions(rules: TaskRunner, folder: string | null, args: readonly string[]): TaskWords {
  const read: TaskWords = { directory: folder, context: [], words: [], isAsked: false };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') break;
    const [, option = word, joined] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (rules.directory?.test(option)) read.directory = joined ?? args[++at] ?? null;
    else if (word === 'workspace') read.context.push(word, args[++at] ?? '');
    else if (rules.valued?.test(option)) {
      const value = joined ?? args[++at] ?? '';
      if (CONTEXT.test(option)) read.context.push(option, value);
    } else if (ASSIGNMENT.test(word)) continue;
    else if (!/^[-+]/.test(word)) read.words.push({ word, at });
    else read.isAsked ||= rules.after?.test(word) === true;
    // Behind its task the options are the task's.
    if (rules.optionsBehind !== true && isTaskRead(rules, read)) break;
  }
  return read;
}

const isTaskRead = (rules: TaskRunner, { words, isAsked }: TaskWords): boolean => {
  const own = rules.after !== undefined && !isAsked ? words.slice(1) : words;
  return own.some(({ word }) => rules.words?.test(word) !== true);
};

/** The project of a console that is named by its path: above its folder of programs. */
function folderOfConsole(script: string): string | null {
  const path = script.replaceAll('\\', '/');
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  if (folder === '' || folder === '.') return null;
  const above = folder.replace(CONSOLE_FOLDER, '');
  return above === '' || above === '.' ? null : above;
}
