// C/default-policies: read and written as a unit. Each policy is stored as an override, which agents receive by their delta.
import {
  DefaultPoliciesAnswer,
  DefaultPoliciesInput,
  DefaultPoliciesPreviewAnswer,
  type DefaultPolicy,
  type DefaultPolicyInput,
} from '@gatewarden/shared/wire/console/default-policies.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import { recordAudit } from '../../../platform/audit.ts';
import { actorOf, type Person, personOf } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, parseIfMatch } from '../../../platform/http/server/etag.ts';
import { hasSameTerms } from '../overrides/override-rules.ts';
import {
  bumpDefaultsVersion,
  insertOverride,
  lockDefaults,
  type OverrideRecord,
  reviveOverride,
  selectDefaults,
  selectDefaultsVersion,
} from '../overrides/store.ts';
import { storeChange } from '../overrides/write-override.ts';
import { previewOverride } from '../preview/preview.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import {
  checkDefaults,
  defaultInput,
  defaultOverride,
  defaultOverrideId,
  defaultPolicy,
} from './defaults.ts';

export interface DefaultPoliciesDeps {
  db: Db;
  snapshots: Snapshots;
  mappingsOf(tenantId: string): Promise<readonly ProcessMapping[]>;
}

export function registerDefaultPolicies(app: App, deps: DefaultPoliciesDeps): void {
  const { db, snapshots } = deps;
  registerDefaultsPreview(app, deps);

  app.get(
    '/default-policies',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['policies'],
        summary: 'Get the default policies by kind',
        response: { 200: DefaultPoliciesAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const version = etagOf(await selectDefaultsVersion(db, tenantId));
      const policies = (await selectDefaults(db, tenantId)).flatMap(defaultPolicy);
      reply.header('etag', version);
      return { policies, version, request_id: request.id };
    },
  );

  app.put(
    '/default-policies',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['policies'],
        summary: 'Update the default policies',
        headers: IfMatch,
        body: DefaultPoliciesInput,
        response: { 200: DefaultPoliciesAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      checkDefaults(request.body.policies);
      const stored = await storeDefaults(db, person, {
        policies: request.body.policies,
        ifMatch: request.headers['if-match'] ?? request.body.version,
        requestId: request.id,
      });
      snapshots.invalidate(person.tenantId);
      reply.header('etag', stored.version);
      return { ...stored, request_id: request.id };
    },
  );
}

function registerDefaultsPreview(app: App, deps: DefaultPoliciesDeps): void {
  const { db, snapshots } = deps;
  app.post(
    '/default-policies/preview',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['policies'],
        summary: 'Preview the impact of default policies',
        body: DefaultPoliciesInput,
        response: { 200: DefaultPoliciesPreviewAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      checkDefaults(request.body.policies);
      const context = {
        db,
        tenantId,
        snapshot: await snapshots.get(tenantId),
        mappings: await deps.mappingsOf(tenantId),
        now: new Date(),
      };
      const previews = [];
      for (const policy of request.body.policies) {
        const replaces = defaultOverrideId(policy.kind);
        const preview = await previewOverride(
          { ...context, replaces: new Set([replaces]), overrideId: replaces },
          defaultInput(policy),
        );
        previews.push({ kind: policy.kind, ...preview });
      }
      return { previews, request_id: request.id };
    },
  );
}

async function storeDefaults(
  db: Db,
  person: Person,
  wanted: {
    policies: readonly DefaultPolicyInput[];
    ifMatch: string | undefined;
    requestId: string;
  },
): Promise<{ policies: DefaultPolicy[]; version: string }> {
  const { tenantId } = person;
  return transact(db, async (tx) => {
    const version = await lockDefaults(tx, tenantId, person.email);
    if (wanted.ifMatch !== undefined && !parseIfMatch(wanted.ifMatch).includes(version)) {
      throw new HubError('precondition_failed');
    }
    const before = await selectDefaults(tx, tenantId);
    if (!(await applyDefaults(tx, person, before, wanted.policies))) {
      return { policies: before.flatMap(defaultPolicy), version: etagOf(version) };
    }
    await bumpDefaultsVersion(tx, tenantId, person.email);
    const policies = (await selectDefaults(tx, tenantId)).flatMap(defaultPolicy);
    await recordAudit(tx, {
      tenantId,
      actor: actorOf(person),
      operation: 'default_policies.set',
      resource: { kind: 'default_policies', id: tenantId },
      requestId: wanted.requestId,
      detail: { before: before.flatMap(defaultPolicy), after: policies },
    });
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
    return { policies, version: etagOf(version + 1) };
  });
}

/** Brings the overrides in line, each change with a feed number of its own; false where nothing changes. */
async function applyDefaults(
  tx: Tx,
  person: Person,
  before: readonly OverrideRecord[],
  policies: readonly DefaultPolicyInput[],
): Promise<boolean> {
  const { tenantId } = person;
  const by = { email: person.email, now: new Date() };
  let changes = 0;
  const next = async () => {
    changes++;
    return advanceFeed(tx, tenantId, 'governance');
  };
  for (const policy of policies) {
    const override = defaultOverride(policy, by);
    const old = before.find((row) => row.default_kind === policy.kind);
    if (old === undefined) {
      const revision = await next();
      const revived = await reviveOverride(tx, tenantId, override, revision);
      if (revived === null) await insertOverride(tx, tenantId, override, revision);
    } else if (!hasSameTerms(old, override)) {
      const { execution_policy, severity, reason } = override;
      const changed = { execution_policy, severity, reason };
      await mustStore(tx, person, old, { ...changed, deleted: false }, await next());
    }
  }
  const result = new Set(policies.map((policy) => policy.kind));
  for (const old of before) {
    if (old.default_kind === null || result.has(old.default_kind)) continue;
    await mustStore(tx, person, old, { deleted: true }, await next());
  }
  return changes > 0;
}

async function mustStore(
  tx: Tx,
  person: Person,
  old: OverrideRecord,
  change: Partial<OverrideRecord>,
  revision: number,
): Promise<void> {
  const { sort_key: _key, ...same } = old;
  const by = { updated_at: new Date(), updated_by: person.email };
  const after = await storeChange(tx, person.tenantId, old, {
    ...same,
    ...change,
    ...by,
    revision,
  });
  if (after === null) throw new HubError('precondition_failed');
}
