// The default policies: previewed before they are saved, and merged by kind with another user's change.
import type { DefaultPolicy } from '@gatewarden/shared/wire/console/default-policies.ts';
import { ENTITY_KINDS, type EntityKind, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { editConflictTexts } from '../concurrent-edits/texts.ts';
import { renderPart } from '../testing/render.tsx';
import { refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { DefaultPoliciesPage } from './DefaultPoliciesPage.tsx';

const t = texts.defaults;
const PUT = 'PUT /default-policies';
const PREVIEW = 'POST /default-policies/preview';

const aDefault = (kind: EntityKind, execution_policy: DefaultPolicy['execution_policy']) =>
  ({ kind, execution_policy, severity: 'high', reason: null }) as DefaultPolicy;

const touched = (kind: EntityKind) => ({
  ...{ kind, devices: { count: 3, items: [] } },
  activity: { count: 7, items: [], at_least: false, devices: 1 },
});

async function openPage(policies: DefaultPolicy[], role?: Role) {
  respondWith('GET /default-policies', { policies, version: '"1"' });
  respondWith('GET /drift-policy', {
    policy: 'report',
    version: '"1"',
    waiting: { applications: 0, devices: 0 },
  });
  respondWith('GET /discovery-scope', {
    personal_homes: true,
    browser_profiles: true,
    version: '"1"',
  });
  respondWith('GET /tray-setting', { pause_minutes: 0, contact: null, version: '"1"' });
  respondWith(PREVIEW, { previews: ENTITY_KINDS.map(touched) });
  const rendered = await renderPart(<DefaultPoliciesPage />, role);
  await screen.findByRole('table', { name: t.title });
  return rendered;
}

const policyOf = (kind: EntityKind) =>
  screen.getByRole('combobox', { name: t.policyOf(texts.kinds[kind]) }) as HTMLSelectElement;
const submit = () => screen.getByRole('button', { name: t.submit });
const enabled = () => waitFor(() => expect(submit()).toHaveProperty('disabled', false));

it('cannot store a changed default before its preview is shown', async () => {
  const { user } = await openPage([]);
  expect(submit()).toHaveProperty('disabled', true);
  await user.selectOptions(policyOf('mcp_server'), 'block');
  expect(submit()).toHaveProperty('disabled', true);
  await screen.findByText(`${texts.kinds.mcp_server}: ${t.touched(3, 7)}`);
  await enabled();
  respondWith(PUT, { policies: [aDefault('mcp_server', 'block')], version: '"2"' });
  await user.click(submit());
  await screen.findByText(t.stored);
  expect(sentTo(PUT)).toMatchObject([
    {
      body: { policies: [{ kind: 'mcp_server', execution_policy: 'block' }] },
      headers: { 'if-match': '"1"' },
    },
  ]);
});

it('keeps the chosen default and follows what somebody else stored for another kind', async () => {
  const { user } = await openPage([]);
  await user.selectOptions(policyOf('mcp_server'), 'warn');
  await enabled();
  respond(PUT, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /default-policies', {
    policies: [aDefault('ai_tool', 'monitor'), aDefault('mcp_server', 'block')],
    version: '"2"',
  });
  await user.click(submit());
  await screen.findByText(editConflictTexts.title);
  const changed = within(screen.getByRole('alert')).getByRole('listitem');
  expect(changed.textContent).toContain(`${texts.kinds.mcp_server}:`);
  expect(changed.textContent).toContain('block');
  expect(policyOf('mcp_server').value).toBe('warn');
  expect(policyOf('ai_tool').value).toBe('monitor');
  await enabled();
  respondWith(PUT, { policies: [], version: '"3"' });
  await user.click(submit());
  await screen.findByText(t.stored);
  expect(sentTo(PUT)[1]).toMatchObject({
    body: {
      policies: [
        { kind: 'mcp_server', execution_policy: 'warn' },
        { kind: 'ai_tool', execution_policy: 'monitor' },
      ],
    },
    headers: { 'if-match': '"2"' },
  });
});

it('restores the stored defaults on request', async () => {
  const { user } = await openPage([aDefault('ai_tool', 'warn')]);
  await user.selectOptions(policyOf('ai_tool'), 'block');
  const [reset] = screen.getAllByRole('button', { name: t.reset });
  await user.click(reset as HTMLElement);
  expect(policyOf('ai_tool').value).toBe('warn');
});

it('offers no blocking of packages as a kind', async () => {
  await openPage([]);
  const offered = [...policyOf('package').options].map(({ value }) => value);
  expect(offered).toEqual(['', 'allow', 'monitor', 'warn']);
  expect(screen.getByText(t.packageHint)).toBeTruthy();
});

it('shows a viewer the defaults without any field', async () => {
  await openPage([aDefault('ai_tool', 'warn')], 'Viewer');
  const table = within(screen.getByRole('table', { name: t.title }));
  expect(table.getByText(texts.policies.warn)).toBeTruthy();
  expect(table.queryByRole('combobox')).toBe(null);
  expect(screen.queryByRole('button', { name: t.submit })).toBe(null);
});
