// C/product-policies: policies for products, with their preview. A policy owns an override for each application it covers.
import { randomUUID } from 'node:crypto';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import {
  ProductPoliciesAnswer,
  ProductPoliciesPreviewInput,
  ProductPoliciesQuery,
  type ProductPolicy,
  ProductPolicyAnswer,
  ProductPolicyDeletedAnswer,
  ProductPolicyInput,
  ProductPolicyPatch,
  ProductPolicyPreviewAnswer,
  ProductPolicyPreviewInput,
} from '@gatewarden/shared/wire/console/product-policies.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, auditEventOf, type Person, personOf } from '../../../platform/auth/person.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  loadPage,
} from '../../../platform/http/lists/console-lists.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch } from '../../../platform/http/server/etag.ts';
import { recordedCreation, versionedWrite } from '../../../platform/versioned-write.ts';
import { coverProducts, productOf } from './cover-products.ts';
import type { ProductPolicyDeps } from './deps.ts';
import { previewPolicies, previewPolicy } from './policy-preview.ts';
import {
  isSamePolicy,
  type NewPolicy,
  newPolicy,
  type PolicyRecord,
  patchedPolicy,
  policyRow,
} from './policy-rules.ts';
import {
  insertPolicy,
  selectCoveredIds,
  selectPolicies,
  selectPolicy,
  selectPolicyPage,
  selectProductNames,
  updatePolicy,
} from './policy-store.ts';

const PolicyParams = Type.Object({ tenant_id: Type.String(), policy_id: Uuid });
const TAGS = ['products'];

export function registerProductPolicies(app: App, deps: ProductPolicyDeps): void {
  registerReading(app, deps);
  registerPreviews(app, deps);
  registerCreation(app, deps);
  registerChanges(app, deps);
}

function registerReading(app: App, { db, cursors }: ProductPolicyDeps): void {
  app.get(
    '/product-policies',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: TAGS,
        summary: 'List product policies',
        querystring: ProductPoliciesQuery,
        response: { 200: ProductPoliciesAnswer },
      },
    },
    async (request) => {
      const filter = extractFilter(request.query);
      const page = await loadPage(request, {
        cursors,
        list: 'product-policies',
        by: filterBinding(filter),
        fetch: (tenantId, after, limit) => selectPolicyPage(db, tenantId, filter, after, limit),
        keyOf: (policy) => [policy.sort_key, policy.policy_id],
        item: (policy) => policy,
      });
      return { ...page, items: await withApplications(db, request, page.items) };
    },
  );

  app.get(
    '/product-policies/:policy_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: TAGS,
        summary: 'Get a product policy',
        params: PolicyParams,
        response: { 200: ProductPolicyAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const policy = await selectPolicy(db, tenantId, request.params.policy_id);
      if (policy === null) throw new HubError('not_found');
      reply.header('etag', etagOf(policy.version));
      return { policy: await withOwnApplications(db, request, policy), request_id: request.id };
    },
  );
}

function registerPreviews(app: App, deps: ProductPolicyDeps): void {
  app.post(
    '/product-policies/preview',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: TAGS,
        summary: 'Preview the impact of a product policy',
        body: ProductPolicyPreviewInput,
        response: { 200: ProductPolicyPreviewAnswer },
      },
    },
    async (request) => ({
      ...(await previewPolicy(deps, personOf(request).tenantId, request.body)),
      request_id: request.id,
    }),
  );

  app.post(
    '/product-policies/bulk/preview',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: TAGS,
        summary: 'Preview the impact of a policy on several products',
        body: ProductPoliciesPreviewInput,
        response: { 200: ProductPolicyPreviewAnswer },
      },
    },
    async (request) => ({
      ...(await previewPolicies(deps, personOf(request).tenantId, request.body)),
      request_id: request.id,
    }),
  );
}

function registerCreation(app: App, deps: ProductPolicyDeps): void {
  const { db } = deps;

  app.post(
    '/product-policies',
    {
      config: { access: 'Reviewer', alsoAnswers: ['412'] },
      schema: {
        tags: TAGS,
        summary: 'Create a product policy',
        body: ProductPolicyInput,
        response: { 201: ProductPolicyAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const policy = await createPolicy(deps, person, request.id, request.body);
      reply.code(201).header('etag', etagOf(policy.version));
      return { policy: await withOwnApplications(db, request, policy), request_id: request.id };
    },
  );
}

/** A repeated request with the same `policy_id` and content answers with the policy that the first one stored. */
async function createPolicy(
  deps: ProductPolicyDeps,
  person: Person,
  requestId: string,
  input: ProductPolicyInput,
): Promise<PolicyRecord> {
  const { db } = deps;
  const { tenantId, email } = person;
  const now = new Date();
  const names = await selectProductNames(db, tenantId, [input.product_id]);
  const productName = names.get(input.product_id);
  if (productName === undefined) throw new HubError('not_found');
  const by = { policyId: chosenId(input.policy_id), productName, email, now };
  const stored = await selectPolicy(db, tenantId, by.policyId);
  if (stored !== null) {
    if (isSamePolicy(stored, newPolicy(input, by, { mayHaveEnded: true }))) return stored;
    throw new HubError('already_exists', 'A policy has this policy_id, and differs from this.');
  }
  const draft = newPolicy(input, by);
  const created = await recordedCreation(db, {
    tenantId,
    feed: 'governance',
    page: 'overrides',
    store: async (tx) => {
      await checkNoPolicy(tx, tenantId, draft);
      const policy = await insertPolicy(tx, tenantId, draft);
      await cover(tx, person, { requestId, now, policy, seen: input.as_of_revision });
      return policy;
    },
    audit: (policy) => policyEvent(person, 'product_policy.create', requestId, policy, {}),
  });
  announce(deps, tenantId);
  return created;
}

/** A second policy for the same product, platform and scope would only differ from the first: that is changed instead. */
async function checkNoPolicy(tx: Tx, tenantId: string, draft: NewPolicy): Promise<void> {
  const policies = await selectPolicies(tx, tenantId, [draft.product_id]);
  const isTaken = policies.some(
    (policy) =>
      policy.platform === draft.platform &&
      policy.scope_kind === draft.scope_kind &&
      policy.scope_id === draft.scope_id,
  );
  if (!isTaken) return;
  throw new HubError(
    'already_exists',
    'The product has a policy for this platform and scope: change that policy.',
  );
}

function registerChanges(app: App, deps: ProductPolicyDeps): void {
  const { db } = deps;
  app.patch(
    '/product-policies/:policy_id',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: TAGS,
        summary: 'Update a product policy',
        params: PolicyParams,
        headers: IfMatch,
        body: ProductPolicyPatch,
        response: { 200: ProductPolicyAnswer },
      },
    },
    async (request, reply) => {
      const { email } = personOf(request);
      const now = new Date();
      const policy = await changePolicy(deps, request, {
        operation: 'product_policy.update',
        now,
        seen: request.body.as_of_revision,
        change: (before) => patchedPolicy(before, request.body, { email, now }),
      });
      reply.header('etag', etagOf(policy.version));
      return { policy: await withOwnApplications(db, request, policy), request_id: request.id };
    },
  );

  app.delete(
    '/product-policies/:policy_id',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: TAGS,
        summary: 'Delete a product policy',
        params: PolicyParams,
        headers: IfMatch,
        response: { 200: ProductPolicyDeletedAnswer },
      },
    },
    async (request) => {
      const { email: updated_by } = personOf(request);
      const now = new Date();
      const policy = await changePolicy(deps, request, {
        operation: 'product_policy.delete',
        now,
        change: (before) => ({ ...before, deleted: true, updated_at: now, updated_by }),
      });
      return { policy_id: policy.policy_id, deleted: true as const, request_id: request.id };
    },
  );
}

type PolicyRequest = FastifyRequest & {
  params: { policy_id: string };
  headers: { 'if-match'?: string };
};

/** Changes a policy and its overrides in one transaction. Throws as `versionedWrite` does. */
async function changePolicy(
  deps: ProductPolicyDeps,
  request: PolicyRequest,
  write: {
    operation: AuditOperation;
    now: Date;
    seen?: number | undefined;
    change(before: PolicyRecord): PolicyRecord | null;
  },
): Promise<PolicyRecord> {
  const person = personOf(request);
  const { tenantId } = person;
  const policy = await versionedWrite(deps.db, {
    tenantId,
    feed: 'governance',
    page: 'overrides',
    ifMatch: request.headers['if-match'],
    load: (tx) => selectPolicy(tx, tenantId, request.params.policy_id),
    change: write.change,
    store: async (tx, before, change) => {
      const after = await updatePolicy(tx, tenantId, before.version, change);
      if (after === null) return null;
      const { now, seen } = write;
      await cover(tx, person, { requestId: request.id, now, policy: after, seen });
      return after;
    },
    audit: (before, after) =>
      policyEvent(person, write.operation, request.id, after, {
        before: policyRow(before, []),
      }),
  });
  announce(deps, tenantId);
  return policy;
}

async function cover(
  tx: Tx,
  person: Person,
  change: { requestId: string; now: Date; policy: PolicyRecord; seen: number | undefined },
): Promise<void> {
  const { policy, ...rest } = change;
  await coverProducts(tx, person.tenantId, {
    ...rest,
    actor: actorOf(person),
    productIds: [policy.product_id],
    removed: policy.deleted ? [policy] : [],
  });
}

function policyEvent(
  person: Person,
  operation: AuditOperation,
  requestId: string,
  policy: PolicyRecord,
  detail: { before?: ProductPolicy },
) {
  return auditEventOf(person, requestId, {
    operation,
    resource: { kind: 'product_policy', id: policy.policy_id },
    detail: {
      product: productOf(policy),
      ...detail,
      ...(policy.deleted ? {} : { after: policyRow(policy, []) }),
    },
  });
}

/** In this process, before the notices arrive. */
function announce({ snapshots, policies, pages }: ProductPolicyDeps, tenantId: string): void {
  snapshots.invalidate(tenantId);
  policies.forget(tenantId);
  pages.announce(tenantId, 'applications');
}

function chosenId(wanted: string | undefined): string {
  if (wanted === undefined) return randomUUID();
  if (!/^.{14}[47]/.test(wanted)) {
    throw new HubError('invalid_request', '/policy_id must be a UUID of version 4 or 7');
  }
  return wanted.toLowerCase();
}

async function withApplications(
  db: Db,
  request: FastifyRequest,
  policies: readonly PolicyRecord[],
): Promise<ProductPolicy[]> {
  const { tenantId } = personOf(request);
  const covered = await selectCoveredIds(
    db,
    tenantId,
    policies.map((policy) => policy.policy_id),
  );
  return policies.map((policy) => policyRow(policy, covered.get(policy.policy_id) ?? []));
}

async function withOwnApplications(
  db: Db,
  request: FastifyRequest,
  policy: PolicyRecord,
): Promise<ProductPolicy> {
  const { tenantId } = personOf(request);
  const covered = await selectCoveredIds(db, tenantId, [policy.policy_id]);
  return policyRow(policy, covered.get(policy.policy_id) ?? []);
}
