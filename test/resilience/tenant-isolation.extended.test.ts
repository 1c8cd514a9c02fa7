// The tenant matrix follows from the list of routes: every route is called with every id of another tenant, with a
// token of another tenant, without a token and with a broken token. Nothing leaks and nothing changes; a new route
// without a row fails.
import { createHash, randomUUID } from 'node:crypto';
import { groupProducts } from '@gatewarden/hub/src/features/devices/products/index.ts';
import { createApprovals } from '@gatewarden/hub/src/features/mcp/call-approvals/index.ts';
import { createUser } from '@gatewarden/hub/src/features/people/identity/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
  anUnknownProcess,
} from '../support/builders.ts';
import { call, deviceCall, startTestHub, type TestHub } from '../support/hub.ts';
import { endSchedules } from '../support/jobs.ts';
import { aNode, anExportKey, aRequestLine, aToolCallLine } from '../support/logs.ts';

const PREFIX = '/console/api/v1/tenants/{tenant_id}';

/** A valid body for each route that takes a body: without it a 400 would hide the check of the tenant. */
const BODIES: Record<string, object> = {
  'POST /devices/{device_id}/move': { subscriber_id: 'mallory' },
  'PUT /device-settings': { stale_after_hours: 5 },
  'POST /process-mappings': {
    process_name: 'matrix',
    platform: null,
    match: 'exact',
    application_name: 'Matrix',
    entity_id: null,
  },
  'POST /overrides': decision(),
  'PATCH /overrides/{override_id}': { reason: 'taken over' },
  'POST /overrides/preview': decision(),
  'POST /product-policies': productPolicy(),
  'POST /product-policies/preview': productPolicy(),
  'POST /product-policies/bulk/preview': {
    ...decisionWithoutMatch(),
    product_ids: ['0'.repeat(64)],
  },
  'PATCH /product-policies/{policy_id}': { reason: 'taken over' },
  'PUT /default-policies': { policies: [] },
  'PUT /discovery-scope': { personal_homes: false, browser_profiles: false },
  'PUT /tray-setting': { pause_minutes: 30, contact: 'Somebody else' },
  'PUT /drift-policy': { policy: 'block' },
  'POST /default-policies/preview': { policies: [] },
  'POST /device-groups': { name: 'Matrix' },
  'PATCH /device-groups/{group_id}': { name: 'Taken over' },
  'POST /device-groups/preview': {
    rule: { conditions: [{ field: 'hostname', test: 'one_of', values: ['*'] }] },
  },
  'POST /overrides/{override_id}/rollout': { rings: [{ percent: 100, minutes: 10 }] },
  'POST /users': { email: 'matrix@example.com', role: 'Viewer' },
  'POST /invitations': { email: 'matrix@example.com', role: 'Viewer' },
  'PATCH /users/{user_id}': { role: 'Viewer' },
  'POST /agent-tokens': { name: 'Matrix', expires_in_days: 1 },
  'POST /scim-tokens': { name: 'Matrix', expires_in_days: 1 },
  'POST /alert-groups/acknowledge': {
    group: '0'.repeat(32),
    day: '2026-11-20',
    until: '2026-11-20T10:00:00.000Z',
  },
  'POST /alerts/{alert_id}/assign': { assigned_to: null, instead_of: 'x' },
  'POST /alerts/resolve': {
    alerts: [
      {
        alert_id: '11111111-1111-4111-8111-111111111111',
        device_id: '22222222-2222-4222-8222-222222222222',
      },
    ],
    resolution: 'expected',
  },
  'POST /process-mappings/preview': { process_name: 'm*', match: 'glob' },
  'POST /leaked-keys/find': { text: 'Matrix' },
  'POST /leaked-keys/revoke': { text: 'Matrix' },
  'POST /own/views': { list: 'applications', name: 'Matrix', search: {} },
  'POST /overrides/bulk': bulk(),
  'POST /overrides/bulk/preview': bulk(),
  'POST /own/access-requests': {
    device_id: '00000000-0000-4000-8000-000000000000',
    entity_id: '0'.repeat(64),
    reason: 'Matrix',
  },
  'POST /access-requests/{access_request_id}/grant': {
    match: { name: 'matrix' },
    expires_at: '2999-01-01T00:00:00Z',
  },
  'POST /access-requests/{access_request_id}/decline': { reason: 'Matrix' },
  'POST /emergency-stop': { enforcement_ceiling: 'off' },
  'POST /alert-routes': {
    kind: 'webhook',
    name: 'Matrix',
    url: 'https://example.com/hook',
    min_severity: 'low',
  },
  'PATCH /alert-routes/{route_id}': { name: 'Taken over' },
  'PUT /log-settings': { store_payloads: false, retention_days: 1 },
  'POST /llm/guardrail-tests': { text: 'Matrix', direction: 'request', detection: {} },
  'PUT /llm/budgets/{scope}': { monthly_usd: 1, blocks: false },
  'PUT /llm/prices': { overrides: {} },
  'POST /llm/test-requests': { app_key: 'gwk_matrix', provider_label: 'matrix', model: 'm' },
  'POST /log-export-keys': { scope: 'all_apps' },
  'POST /mcp/backends': {
    slug: 'matrix',
    name: 'Matrix',
    url: 'https://example.com/mcp',
    auth: { kind: 'none' },
  },
  'PATCH /mcp/backends/{backend_id}': { name: 'Taken over' },
  'POST /mcp/backends/{backend_id}/api-tokens': { name: 'Matrix', agent: 'matrix' },
  'PUT /mcp/connections/{backend_id}': { secret: 'of-the-matrix' },
  'POST /mcp/call-rules': aRule(),
  'PATCH /mcp/call-rules/{call_rule_id}': { name: 'Taken over' },
  'POST /mcp/rules': { effect: 'deny', subject: { kind: 'everybody' } },
  'POST /mcp/connection-test': { url: 'https://example.com/mcp', auth: { kind: 'none' } },
  'POST /mcp/access-matrix/preview': cellOf('none'),
  'PUT /mcp/access-matrix': cellOf('none'),
  'POST /people-groups': { name: 'Matrix' },
  'PATCH /people-groups/{people_group_id}': { name: 'Taken over' },
  'PUT /mcp/settings': { allowed_email_domains: ['example.com'] },
  'POST /alert-routes/{route_id}/rotate-secret': { overlap_hours: 1 },
  'POST /alert-routes/{route_id}/replay': {
    from: '2026-01-01T00:00:00Z',
    to: '2030-01-01T00:00:00Z',
    delivered: true,
  },
};

function aRule() {
  return { name: 'Matrix', definition: { kind: 'approval', by: 'reviewer' } };
}

function cellOf(access: string) {
  const nothing = '00000000-0000-4000-8000-000000000000';
  return { group_id: nothing, backend_id: nothing, access };
}

function bulk() {
  const { match: _match, ...same } = decision();
  return { ...same, entity_ids: ['0'.repeat(64)] };
}

function productPolicy() {
  return { ...decisionWithoutMatch(), product_id: '0'.repeat(64) };
}

function decisionWithoutMatch() {
  const { match: _match, ...same } = decision();
  return same;
}

function decision() {
  return {
    match: { name: 'matrix' },
    approval_status: 'blocked',
    execution_policy: 'block',
    scope: { kind: 'tenant' },
  };
}

interface Route {
  method: string;
  path: string;
  params: string[];
}

interface Victim {
  tenantId: string;
  agentToken: string;
  adminToken: string;
  device: ReturnType<typeof aDevice>;
  /** An object of every kind that has an id, by the name of its parameter. */
  ids: Record<string, string>;
}

let hub: TestHub;
let victim: Victim;
let routes: Route[];
beforeAll(async () => {
  hub = await startTestHub();
  victim = await makeVictim();
  await endSchedules(hub);
  const { paths } = hub.hub.openApi() as { paths: Record<string, Record<string, object>> };
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith(`${PREFIX}/`)
      ? Object.keys(methods).map((method) => ({
          method: method.toUpperCase(),
          path: path.slice(PREFIX.length),
          params: [...path.slice(PREFIX.length).matchAll(/\{(\w+)\}/g)].map(
            (found) => found[1] ?? '',
          ),
        }))
      : [],
  );
});
afterAll(() => hub.stop());

async function makeVictim(): Promise<Victim> {
  const tenant = await hub.newTenant('Victim');
  const as = { ...hub, ...tenant };
  const device = aDevice();
  const subscriber = 'victim@example.com';
  const post = (path: string, body: unknown) =>
    deviceCall(as, 'POST', `/ea/v1/sync/${path}`, {
      body,
      headers: { 'x-subscriber-id': subscriber },
    });
  const entity = anEntity('secret-of-the-victim');
  const alert = anAlert();
  await post('discovered-apps', aBatch(device, [entity]));
  await post('unknown-processes', {
    batch_id: randomUUID(),
    device,
    processes: [anUnknownProcess('victim-process')],
  });
  const activity = anActivity();
  await post('activity', { device, events: [activity] });
  const console_ = (method: string, path: string, body: object) =>
    hub.console(method, path, { body, tenantId: tenant.tenantId, token: tenant.adminToken });
  const directory = await console_('POST', '/scim-tokens', {
    name: 'secret-of-the-victim',
    expires_in_days: 1,
  });
  const invitation = await console_('POST', '/invitations', {
    ...{ email: 'invited-by-the-victim@example.com', role: 'Viewer' },
  });
  const token = await console_('POST', '/agent-tokens', {
    name: 'secret-of-the-victim',
    expires_in_days: 1,
  });
  const route = await console_('POST', '/alert-routes', {
    ...BODIES['POST /alert-routes'],
    name: 'Victim',
    // Takes no alert here: an attempt under way would change its row meanwhile.
    min_severity: 'critical',
  });
  await post('alerts', { device, alerts: [alert] });
  const override = await console_('POST', '/overrides', decision());
  await groupProducts(hub.context.database.db);
  const products = await hub.console('GET', '/products', {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  const { product_id } = products.body.items[0];
  const policy = await console_('POST', '/product-policies', { ...productPolicy(), product_id });
  const mapping = await console_('POST', '/process-mappings', {
    ...BODIES['POST /process-mappings'],
    process_name: 'victim-*',
    match: 'glob',
  });
  const group = await console_('POST', '/device-groups', { name: 'Victim' });
  const groupId = group.body.group.group_id;
  const { body: own } = await deviceCall(as, 'POST', '/ea/v1/enroll', {
    body: { device, subscriber_id: subscriber },
    headers: { 'x-subscriber-id': subscriber },
  });
  const accessRequestId = randomUUID();
  await deviceCall(as, 'POST', '/ea/v1/sync/access-requests', {
    body: {
      device,
      requests: [
        {
          access_request_id: accessRequestId,
          asked_at: new Date().toISOString(),
          entity_id: entity.entity_id,
          reason: 'secret-of-the-victim',
        },
      ],
    },
    headers: { 'x-subscriber-id': subscriber, authorization: `Bearer ${own.device_token}` },
  });
  await console_('PUT', `/device-groups/${groupId}/devices/${device.device_id}`, {});
  const routeId = route.body.route.route_id;
  const { tenantId, adminToken } = tenant;
  const trail = await hub.console('GET', '/audit', { tenantId, token: adminToken });
  const gateway = await makeGateway(tenant);
  return {
    ...tenant,
    device,
    ids: {
      device_id: device.device_id,
      entity_id: entity.entity_id,
      subscriber_id: subscriber,
      override_id: override.body.override.override_id,
      product_id,
      policy_id: policy.body.policy.policy_id,
      mapping_id: mapping.body.mapping.mapping_id,
      group_id: groupId,
      activity_id: activity.activity_id,
      view_id: randomUUID(),
      scope: randomUUID(),
      ...(await aSession(tenant.tenantId)),
      invitation_id: invitation.body.invitation.invitation_id,
      agent_token_id: token.body.token.token_id,
      scim_token_id: directory.body.token.token_id,
      access_request_id: accessRequestId,
      alert_id: alert.alert_id,
      event_id: trail.body.items[0].event_id,
      route_id: routeId,
      delivery_id: randomUUID(),
      ...gateway,
      ...(await makeLogs(tenant)),
    },
  };
}

/** Creates a user with a session. */
async function aSession(tenantId: string) {
  const email = `${randomUUID()}@example.com`;
  const { user_id } = await createUser(hub.context.database.db, {
    ...{ tenantId, email, role: 'Viewer', password: null },
  });
  const session = await hub.context.database.pool.query<{ session_id: string }>(
    `INSERT INTO sessions (session_hash, email, email_folded, csrf_token, user_agent, expires_at)
     VALUES ('\\x00', $1, $1, '', 'secret-of-the-victim', now() + interval '1 hour')
     RETURNING session_id`,
    [email],
  );
  return { user_id, session_id: session.rows[0]?.session_id ?? '' };
}

/** Creates objects of the gateway's routes, whose bodies and scopes are tested in auth/matrix.integration.test.ts. */
async function makeGateway(tenant: { tenantId: string; adminToken: string }) {
  const create = (path: string, body: object) =>
    hub.console('POST', path, {
      body,
      tenantId: tenant.tenantId,
      token: tenant.adminToken,
      headers: { 'idempotency-key': path },
    });
  const label = 'provider-of-the-victim';
  await create('/gateway/providers', {
    label,
    provider_name: 'vendorA',
    provider_settings: { api_key: 'secret-of-the-victim' },
  });
  const app = await create('/gateway/apps', {
    name: 'app-of-the-victim',
    provider_labels: [label],
  });
  return {
    app_name: 'app-of-the-victim',
    label,
    key_id: app.body.key.key_id,
    operation_id: app.body.operation_id,
    version_id: randomUUID(),
    prompt_id: 'prompt-of-the-victim',
    group_name: 'group-of-the-victim',
    definition_id: 'definition-of-the-victim',
  };
}

async function makeLogs(tenant: { tenantId: string; adminToken: string }) {
  const { body } = await hub.console('POST', '/mcp/backends', {
    body: { ...BODIES['POST /mcp/backends'], slug: 'victim', name: 'secret-of-the-victim' },
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  const key = await anExportKey(hub, { scope: 'all_apps' }, tenant);
  const node = await aNode(hub, tenant.tenantId);
  await node.send('llm-requests', [aRequestLine({ id: 'secret-of-the-victim' })]);
  await node.send('mcp-tool-calls', [aToolCallLine()]);
  const calls = await hub.console('GET', '/mcp/tool-calls', {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  const issued = await hub.console('POST', `/mcp/backends/${body.backend.id}/api-tokens`, {
    body: BODIES['POST /mcp/backends/{backend_id}/api-tokens'],
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  const as = { tenantId: tenant.tenantId, token: tenant.adminToken };
  const callRule = await hub.console('POST', '/mcp/call-rules', {
    body: { ...aRule(), name: 'rule-of-the-victim' },
    ...as,
  });
  const callRuleId = callRule.body.rule.id;
  const { database, sealer } = hub.context;
  const approval = await createApprovals(database.db, sealer).request({
    tenantId: tenant.tenantId,
    ruleId: callRuleId,
    backendId: body.backend.id,
    tool: 'tool-of-the-victim',
    email: 'victim@example.com',
    arguments: {},
    byReviewer: true,
  });
  const rule = await hub.console('POST', '/mcp/rules', { body: BODIES['POST /mcp/rules'], ...as });
  const people = await hub.console('POST', '/people-groups', {
    body: { name: 'secret-of-the-victim', members: ['secret-of-the-victim@example.com'] },
    ...as,
  });
  return {
    call_rule_id: callRuleId,
    approval_id: approval ?? '',
    rule_id: rule.body.rule.rule_id,
    people_group_id: people.body.group.people_group_id,
    backend_id: body.backend.id,
    token_id: issued.body.token.id,
    export_key_id: key.keyId,
    log_id: String(calls.body.items[0].log_id),
  };
}

const unknownIds = (): Record<string, string> => ({
  call_rule_id: randomUUID(),
  scope: randomUUID(),
  device_id: randomUUID(),
  entity_id: createHash('sha256').update(randomUUID()).digest('hex'),
  product_id: createHash('sha256').update(randomUUID()).digest('hex'),
  policy_id: randomUUID(),
  subscriber_id: 'nobody@example.com',
  override_id: randomUUID(),
  mapping_id: randomUUID(),
  group_id: randomUUID(),
  alert_id: randomUUID(),
  event_id: randomUUID(),
  token_id: randomUUID(),
  route_id: randomUUID(),
  delivery_id: randomUUID(),
  approval_id: randomUUID(),
  app_name: 'no-app',
  label: 'no-provider',
  key_id: randomUUID(),
  operation_id: randomUUID(),
  backend_id: randomUUID(),
  export_key_id: randomUUID(),
  version_id: randomUUID(),
  prompt_id: 'no-prompt',
  group_name: 'no-group',
  definition_id: 'no-definition',
  rule_id: randomUUID(),
  people_group_id: randomUUID(),
  invitation_id: randomUUID(),
  user_id: randomUUID(),
  access_request_id: randomUUID(),
  activity_id: randomUUID(),
  view_id: randomUUID(),
  session_id: randomUUID(),
  agent_token_id: randomUUID(),
  scim_token_id: randomUUID(),
  log_id: '999999999',
});

const fill = (path: string, ids: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(ids[name] ?? ''));

function request(route: Route, tenantId: string, ids: Record<string, string>, token?: string) {
  const body = BODIES[`${route.method} ${route.path}`];
  return call(
    `${hub.url}${PREFIX.replace('{tenant_id}', tenantId)}${fill(route.path, ids)}`,
    route.method,
    {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      'if-match': '"1"',
    },
    body ?? (route.method === 'POST' || route.method === 'PUT' ? {} : undefined),
  );
}

/** Everything that is stored of a tenant but the times of its last use, a hash for each table. */
async function stored(tenantId: string): Promise<Record<string, string>> {
  const { pool } = hub.context.database;
  const tables = await pool.query<{ name: string }>(`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'tenant_id'
      -- What a job of the hub writes down by itself.
      AND table_name NOT IN ('feed_marks', 'audit_checkpoints', 'search_grams') ORDER BY table_name`);
  const digests: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const rows = await pool.query<{ row: string }>(
      `SELECT (to_jsonb(t) - '{last_seen_at,governance_at,governance_since,governance_state,checkpoint,mac,is_searchable}'::text[])::text AS row FROM "${name}" t
      WHERE tenant_id = $1 ORDER BY 1`,
      [tenantId],
    );
    const text = rows.rows.map((row) => row.row).join('\n');
    digests[name] = createHash('sha256').update(text).digest('hex');
  }
  return digests;
}

const shape = (answer: { status: number; body: unknown }) => {
  const { request_id: _id, ...body } = (answer.body ?? {}) as Record<string, unknown>;
  return JSON.stringify([answer.status, body]);
};

/** Live streams do not end: what they give a stranger is tried where they refuse. */
const isStream = (route: Route): boolean => route.path.endsWith('/events');

describe('console routes', () => {
  it('covers every id and every body in this matrix', () => {
    const params = new Set(routes.flatMap((route) => route.params));
    expect([...params].filter((name) => !(name in victim.ids))).toEqual([]);
    const { paths } = hub.hub.openApi() as {
      paths: Record<string, Record<string, { requestBody?: object }>>;
    };
    const withBody = routes.filter(
      ({ method, path }) =>
        !path.startsWith('/gateway/') &&
        paths[`${PREFIX}${path}`]?.[method.toLowerCase()]?.requestBody !== undefined,
    );
    expect(
      withBody.map(({ method, path }) => `${method} ${path}`).filter((name) => !(name in BODIES)),
    ).toEqual([]);
    expect(routes.length).toBeGreaterThan(40);
  });

  it('rejects an administrator of another tenant on every route, and changes nothing', async () => {
    const before = await stored(victim.tenantId);
    for (const route of routes) {
      const answer = await request(route, victim.tenantId, victim.ids, hub.adminToken);
      expect([route.method, route.path, answer.status]).toEqual([route.method, route.path, 403]);
      expect(JSON.stringify(answer.body)).not.toContain('secret-of-the-victim');
    }
    expect(await stored(victim.tenantId)).toEqual(before);
  });

  it('rejects a missing token, a broken token and a device token on every route', async () => {
    const before = await stored(victim.tenantId);
    for (const route of routes) {
      for (const token of [undefined, `${victim.adminToken}x`, victim.agentToken]) {
        const answer = await request(route, victim.tenantId, victim.ids, token);
        expect([route.method, route.path, answer.status]).toEqual([route.method, route.path, 401]);
      }
    }
    expect(await stored(victim.tenantId)).toEqual(before);
  });

  it('answers an id of another tenant like an unknown id, and changes nothing there', async () => {
    const before = await stored(victim.tenantId);
    for (const route of routes.filter((route) => route.params.length > 0 && !isStream(route))) {
      const unknown = unknownIds();
      const foreign = await request(route, hub.tenantId, victim.ids, hub.adminToken);
      const nowhere = await request(route, hub.tenantId, unknown, hub.adminToken);
      const plain = (answer: typeof foreign, ids: Record<string, string>) =>
        Object.entries(ids).reduce(
          (text, [name, id]) => text.replaceAll(id, `{${name}}`),
          shape(answer),
        );
      expect([route.method, route.path, plain(foreign, victim.ids)]).toEqual([
        route.method,
        route.path,
        plain(nowhere, unknown),
      ]);
    }
    expect(await stored(victim.tenantId)).toEqual(before);
  });

  it('rejects every write of a Viewer', async () => {
    const token = await hub.tokenFor('Viewer', victim.tenantId);
    const before = await stored(victim.tenantId);
    // A person may store their own filters in any role, and a trial of guardrails stores nothing.
    const writes = routes.filter(
      ({ method, path }) =>
        method !== 'GET' && !path.startsWith('/own/views') && path !== '/llm/guardrail-tests',
    );
    for (const route of writes) {
      const answer = await request(route, victim.tenantId, victim.ids, token);
      // A person revokes their own tokens, decides on their own calls and requests for their own devices; this token belongs
      // to no person of these objects.
      const isOwn =
        /^\/(mcp\/(tokens|approvals)|own\/sessions)\//.test(route.path) ||
        route.path === '/own/access-requests';
      const refused = isOwn ? 404 : 403;
      expect([route.method, route.path, answer.status]).toEqual([
        route.method,
        route.path,
        refused,
      ]);
    }
    expect(await stored(victim.tenantId)).toEqual(before);
  });
});

describe('device routes', () => {
  it("rejects a tenant other than the token's, and leaves a device with the same id unchanged", async () => {
    const before = await stored(victim.tenantId);
    const forged = { 'x-tenant-id': victim.tenantId, 'x-device-id': victim.device.device_id };
    const bodies: Record<string, object> = {
      'discovered-apps': aBatch(victim.device, []),
      'unknown-processes': {
        batch_id: randomUUID(),
        device: victim.device,
        processes: [anUnknownProcess('x')],
      },
      'running-processes': { device: victim.device, processes: [] },
      activity: { device: victim.device, events: [anActivity()] },
      alerts: { device: victim.device, alerts: [anAlert({ alert_id: victim.ids.alert_id ?? '' })] },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const url = `/ea/v1/sync/${path}`;
      const refused = await deviceCall(hub, 'POST', url, { headers: forged, body });
      expect([path, refused.status, refused.body.error.code]).toEqual([
        path,
        403,
        'tenant_mismatch',
      ]);
      // Under its own tenant it is simply another device.
      const own = { 'x-device-id': victim.device.device_id };
      expect((await deviceCall(hub, 'POST', url, { headers: own, body })).status).toBe(202);
    }
    for (const path of ['delta', 'process-map']) {
      const refused = await deviceCall(hub, 'GET', `/ea/v1/sync/${path}`, { headers: forged });
      expect([path, refused.status]).toEqual([path, 403]);
    }
    expect(await stored(victim.tenantId)).toEqual(before);
  });
});
