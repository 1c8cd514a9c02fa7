// Generates shell completion scripts for bash, zsh, fish and PowerShell from a commander program: commands, options and
// their choices. The shell completes every other word as a file name. Pure.

/** The part of commander's `Command` that completion reads. */
export interface CompletedCommand {
  name(): string;
  description(): string;
  readonly commands: readonly CompletedCommand[];
  readonly options: readonly {
    readonly long?: string | undefined;
    readonly description: string;
    readonly hidden: boolean;
    readonly argChoices?: readonly string[] | undefined;
  }[];
}

export const SHELLS = ['bash', 'zsh', 'fish', 'pwsh'] as const;
export type Shell = (typeof SHELLS)[number];

interface Word {
  text: string;
  description: string;
}

interface Context {
  /** The subcommands typed so far, without options: ` token agent`. Empty for the program itself. */
  path: string;
  commands: Word[];
  options: Word[];
  /** The allowed values of each option that has a fixed list. */
  choices: { option: string; values: readonly string[] }[];
}

/**
 * Returns whether a shell script can use `name` as a program name without quotes: letters, digits, `.`, `_` and `-`, at
 * most 64 characters.
 */
export function isProgramName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** Returns the completion script of `program` for `shell`; `name` is the command that the script completes. */
export function completionFor(shell: Shell, program: CompletedCommand, name: string): string {
  return WRITERS[shell](name, listContexts(program));
}

function listContexts(command: CompletedCommand, path = ''): Context[] {
  const shown = command.options.filter((option) => !option.hidden);
  const context: Context = {
    path,
    commands: command.commands.map((child) => ({
      text: child.name(),
      description: child.description(),
    })),
    options: [...shown, { long: '--help', description: 'display help for command' }].flatMap(
      ({ long, description }) => (long === undefined ? [] : [{ text: long, description }]),
    ),
    choices: shown.flatMap(({ long, argChoices }) =>
      long === undefined || argChoices === undefined ? [] : [{ option: long, values: argChoices }],
    ),
  };
  return [
    context,
    ...command.commands.flatMap((child) => listContexts(child, `${path} ${child.name()}`)),
  ];
}

const WRITERS: Record<Shell, (name: string, contexts: readonly Context[]) => string> = {
  bash: (name, contexts) => bash(name, contexts),
  zsh: (name, contexts) =>
    `#compdef ${name}\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(name, contexts)}`,
  fish,
  pwsh,
};

const functionOf = (name: string) => `_${name.replaceAll(/[^A-Za-z0-9]/g, '_')}`;
const wordsOf = ({ commands, options }: Context) =>
  [...commands, ...options].map(({ text }) => text).join(' ');
const subcommandsOf = (contexts: readonly Context[]) => contexts.filter(({ path }) => path !== '');
const listChoices = (contexts: readonly Context[]) =>
  contexts.flatMap(({ path, choices }) => choices.map((choice) => ({ path, ...choice })));

function bash(name: string, contexts: readonly Context[]): string {
  const cases = subcommandsOf(contexts).map(({ path }) => `"${path}"`);
  const choices = listChoices(contexts).map(
    ({ path, option, values }) => `    "${path} ${option}") words="${values.join(' ')}" ;;`,
  );
  return `${functionOf(name)}() {
  local i place="" words="" before="\${COMP_WORDS[COMP_CWORD-1]}"
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place \${COMP_WORDS[i]}" in
      ${cases.join(' | ')}) place="$place \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$place" in
${contexts.map((context) => `    "${context.path}") words="${wordsOf(context)}" ;;`).join('\n')}
  esac
  case "$place $before" in
${choices.join('\n') || '    *) ;;'}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${functionOf(name)} ${name}
`;
}

const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fish(name: string, contexts: readonly Context[]): string {
  const place = `_${functionOf(name)}_place`;
  const at = (path: string) => fishQuoted(`test "$(${place})" = "${path}"`);
  const lines = contexts.flatMap(({ path, commands, options, choices }) => [
    ...commands.map(
      ({ text, description }) =>
        `complete -c ${name} -n ${at(path)} -f -a ${fishQuoted(text)} -d ${fishQuoted(description)}`,
    ),
    ...options.map(({ text, description }) => {
      const values = choices.find(({ option }) => option === text)?.values;
      const valueList = values === undefined ? '' : ` -x -a ${fishQuoted(values.join(' '))}`;
      return `complete -c ${name} -n ${at(path)} -l ${text.slice(2)}${valueList} -d ${fishQuoted(description)}`;
    }),
  ]);
  return `function ${place}
  set -l place ""
  for word in (commandline -opc)[2..]
    switch "$place $word"
      case ${subcommandsOf(contexts)
        .map(({ path }) => `"${path}"`)
        .join(' ')}
        set place "$place $word"
    end
  end
  echo -- "$place"
end
${lines.join('\n')}
`;
}

const pwshQuoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function pwsh(name: string, contexts: readonly Context[]): string {
  const rows = contexts.map(({ path, commands, options }) => {
    const words = [...commands, ...options].map(
      ({ text, description }) => `@(${pwshQuoted(text)}, ${pwshQuoted(description || text)})`,
    );
    return `    ${pwshQuoted(path)} = @(${words.join(', ')})`;
  });
  return `Register-ArgumentCompleter -Native -CommandName ${pwshQuoted(name)} -ScriptBlock {
  param($word, $ast, $position)
  $places = @{
${rows.join('\n')}
  }
  $place = ''
  foreach ($element in ($ast.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $position) { break }
    $next = "$place $element"
    if ($places.ContainsKey($next)) { $place = $next }
  }
  $places[$place] | Where-Object { $_[0] -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}
