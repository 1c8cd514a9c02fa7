// The chain behind a policy or a call, at an address of its own: each kind of step, and what a role is led to.
import type { LlmWhy, ToolCallWhy } from '@gatewarden/shared/wire/console/call-why.ts';
import type { WhyAnswer } from '@gatewarden/shared/wire/console/why.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { whySearch } from '../app/search.ts';
import { logTexts } from '../logs/texts.ts';
import { renderPage } from '../testing/render.tsx';
import { refusal, respond, respondWith } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { callWhyTexts } from './call-texts.ts';
import { whyTexts as t } from './texts.ts';
import { WhyButton } from './WhyButton.tsx';
import { WhyDialog } from './WhyDialog.tsx';

const ID = '01900000-0000-7000-8000-0000000000f1';
const AT = '2026-03-01T10:00:00.000Z';
const DECISION = `GET /overrides/${ID}/why`;
const CALL = 'GET /mcp/tool-calls/17/why';

const EVENT = { event_id: 'e-1', at: AT, by: 'eve@example.com', request_id: 'r-9' };

function aChain(fields: Partial<WhyAnswer> = {}): WhyAnswer {
  return {
    happened: {
      ...{ at: AT, decision: 'block', outcome: 'ended', device_id: 'd1', hostname: 'laptop-7' },
    },
    process: { name: 'curl', executable_path: '/usr/bin/curl' },
    mapping: { process_name: 'curl', match: 'exact', application_name: 'cURL' },
    application: { entity_id: 'f'.repeat(64), name: 'cURL' },
    override: {
      ...{ override_id: ID, revision: 4, deleted: false, match: { name: 'curl' } },
      ...{ approval_status: 'blocked', execution_policy: 'block', reason: 'not allowed here' },
      ...{ scope_kind: 'tenant', scope: { kind: 'tenant' }, expires_at: null },
      ...{ default_kind: null, decided_by: 'eve@example.com', decided_at: AT },
    },
    access_request_id: null,
    events: [{ ...EVENT, operation: 'override.create' }],
    request_id: 'r-why',
    ...fields,
  } as WhyAnswer;
}

const withOverride = (fields: Partial<NonNullable<WhyAnswer['override']>>) => {
  const chain = aChain();
  return { ...chain, override: { ...chain.override, ...fields } } as WhyAnswer;
};

function Part() {
  return (
    <>
      <WhyButton of={`decision.${ID}`} name="curl" />
      <WhyDialog />
    </>
  );
}

const openAt = (search: string, role: Role = 'Admin') =>
  renderPage(Part, { route: '/part', validateSearch: whySearch, address: `/part${search}`, role });

/** Opens the chain of the policy; gives its steps by name, as text. */
async function openChain(chain: WhyAnswer, role?: Role) {
  respondWith(DECISION, chain);
  const rendered = await openAt(`?why=decision.${ID}`, role);
  await screen.findByText(t.decision);
  return { ...rendered, step: stepText };
}

function stepText(name: string): string | null {
  const heading = screen.queryByText(name, { selector: 'li > strong' });
  return heading?.nextElementSibling?.textContent ?? null;
}

it('opens and closes a chain by the address', async () => {
  respondWith(DECISION, aChain());
  const { user, search } = await openAt('');
  await user.click(await screen.findByRole('button', { name: t.whyNamed('curl') }));
  expect(await screen.findByRole('dialog', { name: t.title })).toBeTruthy();
  expect(search()).toEqual({ why: `decision.${ID}` });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(search()).toEqual({}));
  expect(screen.queryByRole('dialog')).toBe(null);
});

it('shows what happened, the process, its mapping and the application', async () => {
  const { step } = await openChain(aChain());
  expect(step(t.happened)).toContain('laptop-7');
  expect(step(t.process)).toContain('/usr/bin/curl');
  expect(step(t.process)).toContain(t.mapped);
  expect(step(t.application)).toContain('cURL');
});

it('shows the policy with its revision, reason, author and audit events', async () => {
  const { step } = await openChain(aChain());
  expect(step(t.decision)).toContain(texts.approvals.blocked);
  expect(step(t.decision)).toContain(t.revision(4));
  expect(step(t.reason)).toBe('not allowed here');
  expect(step(t.decidedBy)).toContain('eve@example.com');
  expect(step(t.audit)).toContain(t.operations['override.create']);
  expect(step(t.audit)).toContain('r-9');
});

it.each([
  ['a withdrawn policy', withOverride({ deleted: true }), t.decision, t.withdrawn],
  ['a default policy', withOverride({ default_kind: 'package' }), t.decision, t.standard],
  ['an app that drifted', withOverride({ drift_hold: true }), t.decision, t.drift],
  ['an exception', aChain({ access_request_id: ID }), t.decision, t.exception],
  ['a policy without a reason', withOverride({ reason: null }), t.reason, t.noReason],
  ['a policy without audit events', aChain({ events: [] }), t.audit, t.noAudit],
])('reports %s', async (_case, chain, name, text) => {
  const { step } = await openChain(chain);
  expect(step(name)).toContain(text);
});

it('shows that nothing is decided, without steps of a policy', async () => {
  const { step } = await openChain(aChain({ override: null }));
  expect(step(t.decision)).toBe(t.nothing);
  expect(step(t.reason)).toBe(null);
  expect(step(t.audit)).toBe(null);
});

it('leads an administrator to the audit event', async () => {
  await openChain(aChain());
  expect(screen.getByRole('link', { name: 'e-1' })).toBeTruthy();
});

it('leads a member to none of the pages behind a chain', async () => {
  await openChain(aChain(), 'Member');
  expect(screen.queryAllByRole('link')).toEqual([]);
});

it('reports an address that names no chain', async () => {
  await openAt('?why=decision.nonsense');
  await screen.findByText(t.unknown);
});

it('shows why a chain could not be read', async () => {
  respond(DECISION, () => refusal(404, 'not_found', 'It is not there.'));
  await openAt(`?why=decision.${ID}`);
  await within(await screen.findByRole('dialog')).findByText('It is not there.');
});

const STEP = { ...EVENT, operation: 'mcp_backend.update', is_since: true };

const A_CALL = {
  call: {
    ...{ log_id: 17, at: AT, method: null, outcome: 'blocked', message: 'Not allowed.' },
    sent_by: { kind: 'gateway', node: null },
  },
  caller: {
    email: 'ada@example.com',
    via: 'oauth',
    agent: 'client/1',
    role: 'Viewer',
    token: null,
  },
  server: {
    ...{ backend_id: ID, name: 'files', version_then: 2, events: [STEP] },
    now: { name: 'Files', version: 3, enabled: true, drift: 'hide', allow: null, deny: ['rm'] },
  },
  tool: { name: 'delete_file', review: 'changed', approved: STEP, approved_since: null },
  access: {
    at_call: { why: 'denied', rule_id: ID },
    now: { why: 'no_rule', rule_id: null },
    rules: [{ rule_id: ID, rule: null, events: [] }],
  },
  call_rules: [
    {
      ...{ rule_id: 'c-1', name: 'No secrets', kind: 'guardrail', stands: 'disabled', events: [] },
      found: [{ side: 'input', action: 'block', category: 'secrets' }],
    },
  ],
  more_call_rules: 2,
  approval: { approval_id: 'p-1', rule_id: ID, by: 'eve@example.com', at: AT, events: [] },
  request_id: 'r-call',
} as unknown as ToolCallWhy;

async function openCall(call: ToolCallWhy) {
  respondWith(CALL, call);
  await openAt('?why=call.17');
  await screen.findByText(callWhyTexts.call, { selector: 'li > strong' });
}

it('shows each step of a tool call', async () => {
  await openCall(A_CALL);
  const c = callWhyTexts;
  expect(screen.getByRole('dialog', { name: t.titleOfCall })).toBeTruthy();
  expect(stepText(c.call)).toContain(c.outcomes.blocked);
  expect(stepText(c.call)).toContain(c.sentBy.gateway);
  expect(stepText(c.caller)).toContain(c.role('Viewer'));
  expect(stepText(c.server)).toContain(c.version(2, 3));
  expect(stepText(c.server)).toContain(`${c.neverOffers} rm`);
  expect(stepText(c.server)).toContain(t.since);
  expect(stepText(c.tool)).toContain(c.reviews.changed);
  expect(stepText(c.access)).toContain(texts.mcp.access.reasons.denied);
  expect(stepText(c.access)).toContain(c.ruleGone);
  expect(stepText(c.callRules)).toContain(c.decided);
  expect(stepText(c.callRules)).toContain(c.more(2));
  expect(stepText(c.approval)).toContain('eve@example.com');
});

it('shows a call that led to no server and that nobody is named for', async () => {
  await openCall({
    ...A_CALL,
    caller: { ...A_CALL.caller, email: null, via: 'passthrough' },
    server: { ...A_CALL.server, backend_id: null, now: null },
    call_rules: [],
    more_call_rules: 0,
    approval: null,
  } as ToolCallWhy);
  const c = callWhyTexts;
  expect(stepText(c.caller)).toContain(c.nobody);
  expect(stepText(c.server)).toContain(c.noServer);
  expect(stepText(c.callRules)).toBe(c.noCallRules);
  expect(stepText(c.approval)).toBe(null);
});

it.each([
  ['the MCP gateway of the hub', { kind: 'gateway', node: null }, callWhyTexts.sentBy.gateway],
  ['a gateway node', { kind: 'node', node: 'berlin' }, `${callWhyTexts.sentBy.node} berlin`],
  ['a shared gateway node', { kind: 'node', node: null }, callWhyTexts.sentBy.sharedNode],
  ['an unknown reporter', null, callWhyTexts.sentBy.unknown],
] as const)('names %s as the reporter of a call', async (_case, sentBy, text) => {
  await openCall({ ...A_CALL, call: { ...A_CALL.call, sent_by: sentBy } });
  expect(stepText(callWhyTexts.call)).toContain(text);
});

it('names what was asked where that was no call of a tool', async () => {
  await openCall({ ...A_CALL, call: { ...A_CALL.call, method: 'resources/read' } });
  expect(stepText(callWhyTexts.asked)).toBe('resources/read');
  expect(stepText(callWhyTexts.tool)).toBe(null);
});

const A_REQUEST = {
  request: {
    ...{ llm_request_id: 'l-1', timestamp: AT, status_code: 200, is_blocked: true },
    ...{ is_failed: false, is_anonymized: false, user_email: 'ada@example.com' },
    ...{ model: 'm-1', provider: 'vendorA', sent_by: { kind: 'node', node: 'berlin' } },
    reasons: [{ action: 'block', category: 'pii', subcategories: ['iban'] }],
  },
  app: { app_id: 'a-1', name: 'shop', now: { name: 'shop', enabled: true } },
  configuration: {
    ...{ version_id: 'v-2', version: 2, changed: ['limits.timeout'], newer: 1 },
    made: { ...EVENT, operation: 'app.update', is_since: false },
  },
  policy_authority: { enabled: true, active_revision: 'rev-5' },
  request_id: 'r-llm',
} as unknown as LlmWhy;

async function openRequest(path: string, why: string, request: LlmWhy, role?: Role) {
  respondWith(`GET ${path}`, request);
  await openAt(`?why=${why}`, role);
  await screen.findByText(callWhyTexts.request, { selector: 'li > strong' });
}

it('shows each step of an LLM request', async () => {
  await openRequest('/llm/requests/why', 'request.l-1', A_REQUEST);
  const c = callWhyTexts;
  expect(stepText(c.request)).toContain('vendorA · m-1');
  expect(stepText(c.request)).toContain('berlin');
  expect(stepText(c.outcome)).toContain(logTexts.blocked);
  expect(stepText(c.outcome)).toContain('block · pii · iban');
  expect(stepText(c.configuration)).toContain(c.newer(1));
  expect(stepText(c.configuration)).toContain('limits.timeout');
  expect(stepText(c.configuration)).toContain('rev-5');
  expect(stepText(c.made)).toContain('eve@example.com');
  expect(screen.getByRole('link', { name: 'shop' })).toBeTruthy();
});

it('shows an LLM request of an app that nobody knows, without a configuration', async () => {
  await openRequest('/llm/requests/why', 'request.l-1', {
    ...A_REQUEST,
    app: { app_id: null, name: 'ghost', now: null },
    configuration: null,
  });
  expect(stepText(callWhyTexts.app)).toContain(callWhyTexts.unknownApp);
  expect(stepText(callWhyTexts.configuration)).toBe(null);
});

it('leads from an LLM request of their own to none of the pages of administrators', async () => {
  await openRequest('/own/llm-requests/why', 'own-request.l-1', A_REQUEST, 'Member');
  expect(stepText(callWhyTexts.app)).toContain('shop');
  expect(screen.queryAllByRole('link')).toEqual([]);
});
