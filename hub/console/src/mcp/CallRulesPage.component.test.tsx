// The form of a guardrail: errors at their fields, and concurrent changes.
import type { Rule } from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { editConflictTexts } from '../concurrent-edits/texts.ts';
import { renderPage } from '../testing/render.tsx';
import {
  listReply,
  loseAnswer,
  refusal,
  respond,
  respondWith,
  sentTo,
} from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { CallRulesPage } from './CallRulesPage.tsx';
import { callRuleTexts as t } from './call-rule-texts.ts';

const CREATE = 'POST /mcp/call-rules';
const PATCH = 'PATCH /mcp/call-rules/r1';

const aRule = (fields: Partial<Rule> = {}) =>
  ({
    ...{ id: 'r1', name: 'first', backend_id: null, tool: '*', enabled: true, version: '"1"' },
    definition: { kind: 'approval', by: 'caller', valid_minutes: 10 },
    ...fields,
  }) as Rule;

async function openRules(rules: Rule[], role: Role = 'Admin') {
  respond('GET /mcp/call-rules', () => listReply(rules));
  respond('GET /mcp/backends', () => listReply([]));
  const rendered = await renderPage(CallRulesPage, {
    ...{ route: '/gateway/guardrails', address: '/gateway/guardrails', role },
  });
  await screen.findByText(rules.length === 0 ? t.empty : 'first');
  return rendered;
}

async function openForm(button: string, rules: Rule[] = []) {
  const rendered = await openRules(rules);
  await rendered.user.click(screen.getByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  const submit = () =>
    rendered.user.click(
      dialog.getByRole('button', { name: rules.length === 0 ? t.create : t.store }),
    );
  return { ...rendered, dialog, submit };
}

it('rejects a rule without a name', async () => {
  const { dialog, submit } = await openForm(t.new);
  await submit();
  expect(dialog.getByText(t.needName)).toBeTruthy();
  expect(sentTo(CREATE)).toEqual([]);
});

it('rejects a pattern line without a name', async () => {
  const { user, dialog, submit } = await openForm(t.new);
  await user.type(dialog.getByRole('textbox', { name: t.name }), 'No keys');
  await user.click(dialog.getByRole('textbox', { name: t.patterns }));
  await user.paste('just text');
  await submit();
  expect(dialog.getByText(t.badPatterns)).toBeTruthy();
});

it('rejects a schema that is not JSON', async () => {
  const { user, dialog, submit } = await openForm(t.new);
  await user.type(dialog.getByRole('textbox', { name: t.name }), 'Strict');
  await user.click(dialog.getByRole('radio', { name: t.kinds.arguments }));
  const schema = dialog.getByRole('textbox', { name: t.schema });
  await user.clear(schema);
  await user.type(schema, 'nothing');
  await submit();
  expect(dialog.getByText(t.badJson)).toBeTruthy();
  expect(sentTo(CREATE)).toEqual([]);
});

it('creates a single rule when a lost response is retried', async () => {
  const { user, dialog, submit } = await openForm(t.new);
  await user.type(dialog.getByRole('textbox', { name: t.name }), 'No keys');
  respond(CREATE, loseAnswer);
  await submit();
  await dialog.findByText(texts.errors.unreachable);
  respond(CREATE, () => refusal(409, 'already_exists', 'stored'));
  await submit();
  await screen.findByText(t.stored);
  const ids = sentTo(CREATE).map(({ body }) => body.rule_id);
  expect(ids).toEqual([ids[0], ids[0]]);
});

it('keeps a typed name and takes over concurrent changes of other fields', async () => {
  const { user, dialog, submit } = await openForm(t.edit, [aRule()]);
  const name = dialog.getByRole('textbox', { name: t.name });
  await user.clear(name);
  await user.type(name, 'mine');
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /mcp/call-rules/r1', {
    rule: aRule({ name: 'their name', tool: 'delete-*', version: '"2"' }),
  });
  await submit();
  await dialog.findByText(editConflictTexts.title);
  expect(dialog.getByText('their name', { exact: false })).toBeTruthy();
  expect(name).toHaveProperty('value', 'mine');
  expect(dialog.getByRole('textbox', { name: t.tool })).toHaveProperty('value', 'delete-*');
});

it('disables a rule in the version that the user saw', async () => {
  const { user } = await openRules([aRule()]);
  respondWith(PATCH, { rule: aRule({ enabled: false }) });
  respond('GET /mcp/call-rules', () => listReply([aRule({ enabled: false })]));
  await user.click(screen.getByRole('button', { name: t.turnOff }));
  await screen.findByRole('button', { name: t.turnOn });
  expect(sentTo(PATCH)).toMatchObject([
    { body: { enabled: false }, headers: { 'if-match': '"1"' } },
  ]);
});

it('offers a viewer no change of rules', async () => {
  await openRules([aRule()], 'Viewer');
  const buttons = screen
    .queryAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));
  expect(buttons.filter((label) => label !== texts.ui.columns)).toEqual([]);
});
