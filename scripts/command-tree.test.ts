// Every command of hub, agent and collector has help in the field's terms, with an example that the parser accepts.
import { expect, test } from 'vitest';
import { createAgentProgram } from '../agent/src/cli/command-tree.ts';
import { EXIT as COLLECTOR_EXIT, createCollectorProgram } from '../collector/src/program.ts';
import { createHubProgram } from '../hub/src/cli/program.ts';
import { notesOf } from '../shared/cli/help.ts';
import { completionFor, SHELLS } from '../shared/completion.ts';
import { EXIT } from '../shared/exit-codes.ts';
import { WORDS } from '../test/gates/language.ts';
import { createTree } from './command-tree.ts';
import { agentManPage, manPage } from './man-page.ts';

type Command = ReturnType<typeof createHubProgram>;

const programs = { hub: createHubProgram, agent: createAgentProgram };

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

const commands = Object.entries(programs).flatMap(([name, create]) =>
  leavesOf(create()).map((command): [string, Command] => [`${name} ${command.name()}`, command]),
);

/** Words of the retired private language; the language gate counts the same ones. */
const { one: _numeral, ...words } = WORDS;
const RETIRED = Object.values(words).map(({ pattern }) => pattern);

test.each(commands)('describes %s in the terms of the field', (_, command) => {
  const texts = [command.description(), ...command.options.map((option) => option.description)];
  for (const text of texts) {
    expect(text).not.toBe('');
    for (const pattern of RETIRED) expect(text.match(pattern), text).toBe(null);
    expect(text).not.toMatch(/\.$/);
  }
  expect(command.description()).toMatch(/^[A-Z]/);
});

const exampled = commands.filter(([, command]) => command.name() !== 'completion');

test.each(exampled)('gives %s 1 to 3 examples that the parser accepts', async (name, command) => {
  const { examples = [] } = notesOf(command) ?? {};
  expect(examples.length).toBeGreaterThanOrEqual(1);
  expect(examples.length).toBeLessThanOrEqual(3);
  const [program = ''] = name.split(' ');
  for (const example of examples) {
    const prefix = `gatewarden ${program} `;
    const text = example.slice(example.indexOf(prefix));
    expect(text.startsWith(prefix)).toBe(true);
    const parsed = programs[program as keyof typeof programs]();
    for (const leaf of leavesOf(parsed)) leaf.action(() => undefined);
    await parsed.parseAsync(wordsOf(text.slice(prefix.length)), { from: 'user' });
  }
});

/** Splits an example as a shell would, up to a redirection or a pipe. */
function wordsOf(text: string): string[] {
  const [command = ''] = text.split(/ [<>|]/);
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

test('keeps the exit codes of the collector equal to those of the hub', () => {
  expect(COLLECTOR_EXIT).toEqual(EXIT);
});

test.each(SHELLS)('completes the verbs of all programs in %s', async (shell) => {
  const script = completionFor(shell, await createTree(), 'gatewarden');
  for (const word of ['retire', 'acknowledge', 'approve', 'suspend', 'support-bundle', 'collect']) {
    expect(script).toContain(word);
  }
});

test('documents every command and environment variable on the manual pages', async () => {
  const hub = manPage('gatewarden-hub', createHubProgram(), '1.2.3');
  expect(hub.startsWith('.TH GATEWARDEN-HUB 1 "" "Gatewarden 1.2.3"')).toBe(true);
  expect(hub).toContain('.SS "gatewarden\\-hub device retire [options] <device>"');
  expect(hub).toContain('.B DATABASE_URL');
  expect(hub).toContain('.SH EXIT STATUS');
  expect(await agentManPage('1.2.3')).toContain('.SS "gatewarden scan [options]"');
  const collector = manPage('gatewarden-collect', createCollectorProgram(), '1.2.3');
  expect(collector).toContain('.B \\-\\-once');
});
