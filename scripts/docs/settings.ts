// Reference pages of environment variables and of agent.toml, from the lists that the programs use.
import { SETTINGS, type SettingHelp } from '@gatewarden/agent/src/config/setting-help.ts';
import { ENVIRONMENT, type Variable } from '@gatewarden/shared/environment.ts';
import { anchor, block, code, type Derived, referencePage, table } from './markdown.ts';

/** Returns docs/reference/configuration.md. */
export function configurationPage(): Derived {
  return referencePage('configuration', {
    title: 'Configuration',
    source: 'shared/environment.ts',
    body: [
      'Environment variables of all programs. An empty variable counts as unset. An invalid value is a single line on standard error and exit code 1.',
      'The hub reads its variables at start. A variable that begins with `HUB_` and is not listed here is reported by `hub doctor` and in the log, with the most similar name.',
      ...ENVIRONMENT.flatMap(({ title, variables }) => [`## ${title}`, variableTable(variables)]),
      '## Equal on all hubs',
      'These variables must have the same value in all hub processes of an installation:',
      sharedNames()
        .map((name) => `- ${code(name)}`)
        .join('\n'),
      'A hub compares most of them with the values of the other hubs, as keyed digests. It logs `settings_differ` with the names that differ, and **Settings → System status** shows them.',
    ],
  });
}

function variableTable(variables: Readonly<Record<string, Variable>>): string {
  return table(
    ['Variable', 'Value', 'Default', 'Example', 'Meaning'],
    Object.entries(variables).map(([name, variable]) => [
      `${anchor(name.toLowerCase())}${code(name)}`,
      variable.type,
      variable.default === null ? '' : code(variable.default),
      code(variable.example),
      meaningOf(variable),
    ]),
  );
}

function sharedNames(): string[] {
  return ENVIRONMENT.flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, { shared }]) => (shared === true ? [name] : [])),
  );
}

function meaningOf({ description, secret, restart }: Variable | SettingHelp): string {
  return [
    description,
    ...(secret ? ['**Secret.**'] : []),
    ...(restart ? [] : ['Read by each run of a command or installer.']),
  ].join(' ');
}

/** Returns docs/reference/agent-toml.md. */
export function agentTomlPage(): Derived {
  const settings: [string, SettingHelp][] = Object.entries(SETTINGS);
  const sections = Map.groupBy(settings, ([key]) => key.split('.')[0] ?? '');
  return referencePage('agent-toml', {
    title: 'agent.toml',
    source: 'agent/src/config/setting-help.ts',
    body: [
      'The configuration of the agent. The first of these files that exists is used:',
      table(
        ['Order', 'File'],
        [
          ['1', '`--config FILE`'],
          ['2', '`GATEWARDEN_AGENT_CONFIG`'],
          ['3', '`agent.toml` in the data folder'],
          [
            '4',
            '`/etc/gatewarden/agent.toml` on Linux, `/Library/Application Support/Gatewarden/agent.toml` on macOS, `%ProgramData%\\Gatewarden\\agent.toml` on Windows (for the agent of a user `%LOCALAPPDATA%\\Gatewarden\\agent.toml`)',
          ],
        ],
      ),
      'Restart the service after a change. An unknown key or an invalid value is a single line on standard error and exit code 1. A duration is a number with `ms`, `s`, `m`, `h` or `d`.',
      block('toml', exampleFile(sections)),
      ...[...sections].flatMap(([section, keys]) => [`## [${section}]`, settingTable(keys)]),
    ],
  });
}

const IN_EXAMPLE = ['base_url', 'tenant_id', 'subscriber_id', 'enforcement', 'discovery_interval'];

function exampleFile(sections: ReadonlyMap<string, readonly [string, SettingHelp][]>): string {
  return [...sections]
    .map(([section, keys]) => {
      const lines = keys
        .map(([key, { example }]) => [key.split('.')[1] ?? '', example] as const)
        .filter(([name]) => IN_EXAMPLE.includes(name))
        .map(([name, example]) => `${name} = ${example}`);
      return lines.length === 0 ? '' : [`[${section}]`, ...lines, ''].join('\n');
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

function settingTable(keys: readonly [string, SettingHelp][]): string {
  return table(
    ['Key', 'Value', 'Default', 'Example', 'Meaning'],
    keys.map(([key, help]) => [
      `${anchor(key.replaceAll('.', '-').replaceAll('_', '-'))}${code(key.split('.')[1] ?? '')}`,
      help.type,
      help.default === null ? '' : code(help.default),
      code(help.example),
      meaningOf(help),
    ]),
  );
}
