// The form of a device group: its membership query with a preview, and another user's change.
import type { DeviceGroup } from '@gatewarden/shared/wire/console/device-groups.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { editConflictTexts } from '../concurrent-edits/texts.ts';
import { renderPart, SELF } from '../testing/render.tsx';
import {
  listReply,
  loseAnswer,
  refusal,
  respond,
  respondWith,
  sentTo,
} from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { DeleteGroup } from './DeleteGroup.tsx';
import { GroupDialog } from './GroupForm.tsx';
import { testsOf } from './rule-values.ts';

const t = texts.groups;
const CREATE = 'POST /device-groups';
const PATCH = 'PATCH /device-groups/g1';
const PREVIEW = 'POST /device-groups/preview';

const aGroup = (fields: Partial<DeviceGroup> = {}) =>
  ({
    ...{ group_id: 'g1', name: 'first', description: '', rule: null, version: '"1"' },
    ...{ device_count: 0, created_by: SELF, updated_by: SELF },
    ...fields,
  }) as DeviceGroup;

async function openForm(group: DeviceGroup | null) {
  const rendered = await renderPart(<GroupDialog group={group} onClose={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog'));
  return {
    ...rendered,
    dialog,
    name: () => dialog.getByRole('textbox', { name: t.name }),
    submit: () =>
      rendered.user.click(dialog.getByRole('button', { name: group === null ? t.create : t.edit })),
  };
}

const valuesField = (dialog: ReturnType<typeof within>) =>
  dialog.getByRole('combobox', { name: t.values.one_of });

/** Opens the form of a new group with a name and a membership query; the preview counts two devices. */
async function openRule() {
  respondWith(PREVIEW, {
    device_count: 2,
    devices: [{ device_id: 'd1', hostname: 'laptop-7' }],
  });
  const form = await openForm(null);
  await form.user.type(form.name(), 'Berlin');
  await form.user.click(form.dialog.getByRole('radio', { name: t.byRule }));
  return form;
}

it('refuses a group without a name at its field', async () => {
  const { name, submit } = await openForm(null);
  await submit();
  expect(name().getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText(t.nameNeeded)).toBeTruthy();
  expect(sentTo(CREATE)).toEqual([]);
});

it('refuses a rule with a condition that has no value', async () => {
  const { dialog, submit } = await openRule();
  await submit();
  expect(dialog.getByText(t.valuesNeeded)).toBeTruthy();
  expect(sentTo(CREATE)).toEqual([]);
});

it('previews the devices of a rule before it is stored', async () => {
  const { user, dialog, submit } = await openRule();
  await user.type(valuesField(dialog), 'laptop-*{Enter}');
  await dialog.findByText(t.previewCount(2));
  expect(dialog.getByText('laptop-7')).toBeTruthy();
  expect(dialog.getByText(t.previewMore(1))).toBeTruthy();
  respondWith(CREATE, { group: aGroup() });
  await submit();
  await screen.findByText(t.stored);
  const conditions = [{ field: 'hostname', test: 'one_of', values: ['laptop-*'] }];
  expect(sentTo(CREATE)[0]?.body).toMatchObject({ name: 'Berlin', rule: { conditions } });
});

it('shows why a rule could not be previewed', async () => {
  const { user, dialog } = await openRule();
  respond(PREVIEW, () => refusal(400, 'invalid_request', 'not a version'));
  await user.type(valuesField(dialog), 'x{Enter}');
  await dialog.findByText(t.previewFailed);
});

it('offers comparisons for versions, with a single text as their value', async () => {
  const { user, dialog } = await openRule();
  await user.selectOptions(dialog.getByRole('combobox', { name: t.field }), t.fields.os_version);
  const tests = within(dialog.getByRole('combobox', { name: t.test })).getAllByRole('option');
  expect(tests.map((option) => option.textContent)).toEqual(
    testsOf('os_version').map((test) => t.tests[test]),
  );
  await user.selectOptions(dialog.getByRole('combobox', { name: t.test }), t.tests.at_least);
  await user.type(dialog.getByRole('textbox', { name: t.version }), '14.2');
  await waitFor(() =>
    expect(sentTo(PREVIEW).at(-1)?.body.rule.conditions).toEqual([
      { field: 'os_version', test: 'at_least', values: ['14.2'] },
    ]),
  );
});

it('offers groups of people whose names have commas as a single value', async () => {
  const name = 'CN=Sales,OU=Groups';
  respond('GET /people-groups', () => listReply([{ people_group_id: 'p1', name }]));
  const { user, dialog } = await openRule();
  await user.selectOptions(dialog.getByRole('combobox', { name: t.field }), t.fields.people_group);
  await user.click(valuesField(dialog));
  await user.click(await screen.findByRole('option', { name }));
  await waitFor(() =>
    expect(sentTo(PREVIEW).at(-1)?.body.rule.conditions).toEqual([
      { field: 'people_group', test: 'one_of', values: [name] },
    ]),
  );
});

it('adds and leaves out conditions', async () => {
  const { user, dialog } = await openRule();
  expect(dialog.queryByRole('button', { name: t.dropCondition(1) })).toBe(null);
  await user.click(dialog.getByRole('button', { name: t.addCondition }));
  expect(dialog.getByRole('group', { name: t.condition(2) })).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: t.dropCondition(1) }));
  expect(dialog.queryByRole('group', { name: t.condition(2) })).toBe(null);
});

it('keeps a typed name and follows what somebody else changed besides', async () => {
  const { user, dialog, name, submit } = await openForm(aGroup());
  await user.clear(name());
  await user.type(name(), 'mine');
  const theirs = aGroup({ name: 'of theirs', description: 'new', version: '"2"' });
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /device-groups/g1', { group: theirs });
  await submit();
  const notice = (await dialog.findByText(editConflictTexts.title)).closest('[role=alert]');
  const changed = within(notice as HTMLElement).getByRole('listitem');
  expect(changed.textContent).toContain(`${t.name}:`);
  expect(changed.textContent).toContain('of theirs');
  expect(name()).toHaveProperty('value', 'mine');
  expect(dialog.getByRole('textbox', { name: t.description })).toHaveProperty('value', 'new');
  respondWith(PATCH, { group: aGroup({ name: 'mine', version: '"3"' }) });
  await submit();
  await screen.findByText(t.stored);
  expect(sentTo(PATCH).map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"2"']);
  expect(sentTo(PATCH)[1]?.body).toMatchObject({ name: 'mine', description: 'new' });
});

it('reports a group as stored where the answer to a first try was lost', async () => {
  const { user, name, submit } = await openForm(null);
  await user.type(name(), 'Berlin');
  respond(CREATE, loseAnswer);
  await submit();
  await screen.findByText(texts.errors.unreachable);
  respond(CREATE, () => refusal(409, 'already_exists', 'taken'));
  respond('GET /device-groups', () => listReply([aGroup({ name: 'Berlin' })]));
  await submit();
  await screen.findByText(t.stored);
});

it('shows which policy hinders the deletion of a group', async () => {
  respond('DELETE /device-groups/g1', () =>
    refusal(409, 'in_use', 'The policy about curl names it.'),
  );
  const { user } = await renderPart(
    <DeleteGroup group={aGroup()} onClose={() => undefined} onDeleted={() => undefined} />,
  );
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: t.remove }));
  await dialog.findByText('The policy about curl names it.');
});
