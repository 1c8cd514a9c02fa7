// /overrides/bulk: the same policy for many apps. A preview covers all; each override has a transaction of its own, so that a
// failure affects no other app. The policy that an app has for the same scope is changed.

import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  BulkAnswer,
  BulkInput,
  BulkPreviewAnswer,
} from '@gatewarden/shared/wire/console/bulk-decisions.ts';
import type { Touched } from '@gatewarden/shared/wire/console/overrides.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type Person, personOf } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { toHubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectProductNames } from '../inventory/scope-store.ts';
import { previewOverride } from '../preview/preview.ts';
import { newRollout, type StoredRollout } from '../rollouts/rollout.ts';
import { selectRollouts } from '../rollouts/store.ts';
import { selectChangedOverride, selectExistingOverrides } from './existing-overrides.ts';
import { hasSameTerms, newOverride, overrideRow, splitScope } from './override-rules.ts';
import type { GovernanceDeps } from './routes.ts';
import { selectOverride } from './store.ts';
import { changeDecision, checkGroup, storeDecision, storeStaged } from './write-override.ts';

export function registerBulkDecisions(app: App, deps: GovernanceDeps): void {
  registerBulkPreview(app, deps);
  const { db } = deps;

  app.post(
    '/overrides/bulk',
    {
      config: { access: 'Reviewer', alsoAnswers: ['412'] },
      schema: {
        tags: ['policies'],
        summary: 'Create policies for many apps',
        body: BulkInput,
        response: { 200: BulkAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const { entity_ids: ids, bulk_id: bulkId, rollout: stages, ...decision } = request.body;
      const author = { email: person.email, now: new Date() };
      const rollout = stages === undefined ? null : newRollout(stages, author, '/rollout');
      const bulk: BulkWrite = { db, person, requestId: request.id, bulkId, decision, rollout };
      const names = await selectProductNames(db, tenantId, ids);
      const results: BulkResult[] = [];
      for (const id of ids) {
        results.push(
          names.has(id)
            ? await setOverride(bulk, id, request.log)
            : { entity_id: id, override: null, before: null, error: bulkError('not_found') },
        );
      }
      deps.snapshots.invalidate(tenantId);
      deps.pages.announce(tenantId, 'applications');
      return { results, request_id: request.id };
    },
  );
}

type BulkResult = BulkAnswer['results'][number];

/** A bulk request: the same decision for each of its apps. */
interface BulkWrite {
  db: Db;
  person: Person;
  requestId: string;
  /** Makes a repeated request harmless: each app's override id is derived from it. */
  bulkId: string | undefined;
  decision: Omit<BulkInput, 'entity_ids' | 'bulk_id' | 'rollout'>;
  rollout: StoredRollout | null;
}

/** Sets the override of an app in a transaction of its own. Never throws: an error is the app's result. */
async function setOverride(
  bulk: BulkWrite,
  entityId: string,
  log: FastifyBaseLogger,
): Promise<BulkResult> {
  const { db, person, requestId, bulkId, decision, rollout } = bulk;
  const overrideId = bulkId === undefined ? randomUUID() : bulkOverrideId(bulkId, entityId);
  const input = {
    ...decision,
    match: { entity_id: entityId },
    override_id: overrideId,
    ...(rollout === null ? {} : { rollout_percent: rollout.rings[0]?.percent ?? 0 }),
  };
  try {
    const stored = await transact(db, async (tx) => {
      const revision = await advanceFeed(tx, person.tenantId, 'governance');
      const write = { revision, requestId, now: new Date(), input };
      const result = await storeOrChange(tx, person, write, rollout);
      await notify(tx, { kind: 'page', tenant: person.tenantId, topic: 'overrides' });
      return result;
    });
    return { entity_id: entityId, ...stored, error: null };
  } catch (error) {
    const { code, message } = toHubError(error);
    if (bulkId !== undefined && code === 'already_exists') {
      const repeated = await findRepeated(bulk, input);
      if (repeated !== null) return { entity_id: entityId, before: null, ...repeated };
    }
    if (ERRORS[code].status >= 500) {
      log.warn({ err: error, entity_id: entityId }, 'an override of a bulk request failed');
    }
    return { entity_id: entityId, override: null, before: null, error: bulkError(code, message) };
  }
}

/** Stores the override of an app, or changes the override that the app has for the same scope. */
async function storeOrChange(
  tx: Tx,
  person: Person,
  write: Parameters<typeof storeDecision>[2],
  rollout: StoredRollout | null,
): Promise<Pick<BulkResult, 'override' | 'before'>> {
  if (rollout !== null) {
    const stored = await storeStaged(tx, person, write, rollout);
    return { override: overrideRow(stored, rollout), before: null };
  }
  const before = await selectChangedOverride(tx, person.tenantId, write.input);
  // The override that an earlier copy of this request created is not changed: the creation finds its id taken.
  if (before === undefined || before.override_id === write.input.override_id) {
    return { override: overrideRow(await storeDecision(tx, person, write), null), before: null };
  }
  const after = await changeDecision(tx, person, before, write);
  const rollouts = await selectRollouts(tx, person.tenantId, [before.override_id]);
  const ended = rollouts.get(before.override_id) ?? null;
  return { override: overrideRow(after, ended), before: overrideRow(before, ended) };
}

/** Returns the override that an earlier copy of this request created, or an error if its terms differ; null if none exists. */
async function findRepeated(
  { db, person, rollout }: BulkWrite,
  input: Parameters<typeof newOverride>[0] & { override_id: string },
): Promise<Pick<BulkResult, 'override' | 'error'> | null> {
  const { override_id: overrideId } = input;
  const stored = await selectOverride(db, person.tenantId, overrideId);
  if (stored === null) return null;
  const terms = newOverride(
    input,
    { overrideId, email: person.email, now: new Date() },
    { mayHaveEnded: true },
  );
  const rollouts = await selectRollouts(db, person.tenantId, [overrideId]);
  const storedRollout = rollouts.get(overrideId) ?? null;
  // A rollout raises its percentage by itself.
  const percent = rollout === null ? terms.rollout_percent : stored.rollout_percent;
  const isSame =
    hasSameTerms(stored, { ...terms, rollout_percent: percent }) &&
    hasSameStages(storedRollout, rollout);
  return isSame
    ? { override: overrideRow(stored, storedRollout), error: null }
    : { override: null, error: bulkError('already_exists', OTHERWISE) };
}

function registerBulkPreview(app: App, deps: GovernanceDeps): void {
  const { db } = deps;

  app.post(
    '/overrides/bulk/preview',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['policies'],
        summary: 'Preview the impact of a policy on many apps',
        body: BulkInput,
        response: { 200: BulkPreviewAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { entity_ids: ids, bulk_id: _bulk, rollout, ...decision } = request.body;
      await checkGroup(db, tenantId, splitScope(decision.scope));
      const snapshot = await deps.snapshots.get(tenantId);
      const mappings = await deps.mappingsOf(tenantId);
      const previews: Touched[] = [];
      const replaces = new Set<string>();
      for (const id of ids) {
        const input = { ...decision, match: { entity_id: id } };
        const changed =
          rollout === undefined ? await selectChangedOverride(db, tenantId, input) : undefined;
        if (changed !== undefined) replaces.add(changed.override_id);
        const overrideId = changed?.override_id ?? randomUUID();
        const context = { db, tenantId, snapshot, mappings, now: new Date(), overrideId };
        previews.push(
          await previewOverride(
            changed === undefined ? context : { ...context, replaces: new Set([overrideId]) },
            input,
          ),
        );
      }
      return {
        ...combinePreviews(previews),
        changed: replaces.size,
        as_of_revision: snapshot.n,
        ...(await selectExistingOverrides(
          { db, tenantId, snapshot, now: new Date(), replaces },
          ids.map((id) => ({ ...splitScope(decision.scope), match: { entity_id: id } })),
        )),
        request_id: request.id,
      };
    },
  );
}

const OTHERWISE =
  'This bulk_id was used for another policy, or the policy changed since. Review it first.';

const hasSameStages = (going: StoredRollout | null, wanted: StoredRollout | null): boolean =>
  isDeepStrictEqual(
    [going?.rings ?? null, going?.limits ?? null],
    [wanted?.rings ?? null, wanted?.limits ?? null],
  );

/** Returns the id of an override of a bulk request: a UUID of version 4, equal for equal arguments. */
function bulkOverrideId(bulkId: string, entityId: string): string {
  const hash = createHash('sha256').update(`${bulkId.toLowerCase()} ${entityId}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

/** From 500 on the text is fixed, as it is for a whole request. */
function bulkError(code: keyof typeof ERRORS, message?: string) {
  const { status, message: fixed } = ERRORS[code];
  return { code, message: status >= 500 ? fixed : (message ?? fixed) };
}

/** Returns the devices and users that many overrides reach, each once. */
function combinePreviews(previews: readonly Touched[]) {
  const devices = new Set(
    previews.flatMap((preview) => preview.devices.items.map((device) => device.device_id)),
  );
  const people = new Set(
    previews.flatMap((preview) => preview.people.items.map((person) => person.subscriber_id)),
  );
  const most = (of: (row: Touched) => number) => Math.max(...previews.map(of));
  const sum = (of: (row: Touched) => number) => previews.reduce((all, row) => all + of(row), 0);
  const isCut = (part: { count: number; items: readonly unknown[] }) =>
    part.count > part.items.length;
  return {
    devices: Math.max(
      devices.size,
      most((row) => row.devices.count),
    ),
    people: Math.max(
      people.size,
      most((row) => row.people.count),
    ),
    processes: sum((row) => row.processes.count),
    ended: sum((row) => row.processes.ended ?? 0),
    guarded: sum((row) => row.processes.guarded ?? 0),
    stopped: sum((row) => row.activity.count),
    overruled: previews.filter((preview) => preview.overruled.items.some(({ devices: n }) => n > 0))
      .length,
    at_least: previews.some(
      (preview) =>
        isCut(preview.devices) ||
        isCut(preview.people) ||
        preview.processes.at_least ||
        preview.activity.at_least,
    ),
  };
}
