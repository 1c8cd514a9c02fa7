// The form of a user group: invalid members, a lost creation, and a concurrent change.
import type { PeopleGroup } from '@gatewarden/shared/wire/console/people-groups.ts';
import { screen, within } from '@testing-library/react';
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
import { PeopleGroupsPage } from './PeopleGroupsPage.tsx';

const t = texts.mcp.groups;
const CREATE = 'POST /people-groups';
const PATCH = 'PATCH /people-groups/g1';

const aGroup = (fields: Partial<PeopleGroup> = {}) =>
  ({
    ...{ people_group_id: 'g1', name: 'first', description: '', role: null, member_count: 1 },
    ...{ members: [SELF], version: '"1"', updated_at: '2026-03-01T10:00:00.000Z' },
    ...{ created_by: SELF, updated_by: SELF },
    ...fields,
  }) as PeopleGroup;

async function openForm(groups: PeopleGroup[], button: string) {
  respond('GET /people-groups', () => listReply(groups));
  respond('GET /people-groups/g1', () => ({ status: 200, body: { group: aGroup() } }));
  const rendered = await renderPart(<PeopleGroupsPage />);
  await rendered.user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  const name = (await dialog.findByRole('textbox', { name: t.name })) as HTMLInputElement;
  const submit = () =>
    rendered.user.click(
      dialog.getByRole('button', { name: groups.length === 0 ? t.create : t.store }),
    );
  return { ...rendered, dialog, name, submit };
}

it('names a member that is not an e-mail address', async () => {
  const { user, dialog, name, submit } = await openForm([], t.new);
  await user.type(name, 'Sales');
  await user.type(dialog.getByRole('textbox', { name: t.members }), `${SELF}\ngrace`);
  await submit();
  expect(dialog.getByText(t.badMember('grace'))).toBeTruthy();
  expect(sentTo(CREATE)).toEqual([]);
});

it('reports a group as stored after a retry of a lost response', async () => {
  const { user, dialog, name, submit } = await openForm([], t.new);
  await user.type(name, 'first');
  await user.type(dialog.getByRole('textbox', { name: t.members }), SELF);
  respond(CREATE, loseAnswer);
  await submit();
  await dialog.findByText(texts.errors.unreachable);
  respond(CREATE, () => refusal(409, 'already_exists', 'taken'));
  respond('GET /people-groups', () => listReply([aGroup()]));
  await submit();
  await screen.findByText(t.stored);
});

it('keeps a typed name and takes over concurrent changes of other fields', async () => {
  const { user, dialog, name, submit } = await openForm([aGroup()], t.editNamed('first'));
  await user.clear(name);
  await user.type(name, 'mine');
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /people-groups/g1', {
    group: aGroup({ name: 'their name', description: 'new', version: '"2"' }),
  });
  await submit();
  await dialog.findByText(editConflictTexts.title);
  expect(dialog.getByText('their name', { exact: false })).toBeTruthy();
  expect(name.value).toBe('mine');
  expect(dialog.getByRole('textbox', { name: t.description })).toHaveProperty('value', 'new');
});
