// Changes an app: lock, If-Match and rules; then row, version, audit event and gateway feed in the same transaction.
// Each kind of write has a name, so that an operation can repeat it.

import { randomUUID } from 'node:crypto';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { AppWire, PolicyAuthority, Warning } from '@gatewarden/shared/wire/management/apps.ts';
import { recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import { touchCollection } from '../../../platform/db/collection-versions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { requireMatch } from '../../../platform/http/server/etag.ts';
import { catalogReferences, selectPolicyAuthority } from '../catalogs/index.ts';
import { insertVersion, versionOf } from '../history/index.ts';
import { type Apply, findThenMatch, type WriteCall, type Written } from '../operations/index.ts';
import { providersNamed } from '../providers/index.ts';
import { lockApp } from './find.ts';
import {
  type AppDraft,
  type AppReferences,
  attached,
  changesOf,
  converted,
  detached,
  inactiveOf,
  patchedApp,
  rolledBackApp,
  type SectionPatch,
  sectionsOf,
  snapshotOf,
  wireApp,
} from './rules.ts';
import { type AppRow, SEALED_URLS, updateApp } from './store.ts';

export const COLLECTION = 'apps';

/** The result of a write, also of a recovered write. */
export interface AppWritten {
  app: AppWire;
  warnings?: Warning[];
  inactive_under_gwql?: { fields: string[]; active_revision: string | null };
}

interface Change {
  after: AppDraft;
  warnings?: Warning[];
  /** Sections that the request sets, for `inactive_under_gwql`. */
  sections?: readonly string[];
}

interface Scene {
  tx: Tx;
  call: WriteCall;
  row: AppRow;
  before: AppDraft;
  policy: PolicyAuthority;
}

const placeOf = (tenantId: string, appId: string) => locationOf(SEALED_URLS, [tenantId, appId]);

export function sealUrls(
  sealer: Sealer,
  tenantId: string,
  appId: string,
  urls: Readonly<Record<string, string>>,
): string | null {
  if (Object.keys(urls).length === 0) return null;
  return sealer.seal(JSON.stringify(urls), placeOf(tenantId, appId));
}

export function draftOf(sealer: Sealer, tenantId: string, row: AppRow): AppDraft {
  const { mode, enabled, provider_labels, tags, config, inline_providers } = row;
  const urls =
    row.sealed_urls === null
      ? {}
      : (JSON.parse(sealer.unseal(row.sealed_urls, placeOf(tenantId, row.app_id))) as Record<
          string,
          string
        >);
  return { mode, enabled, provider_labels, tags, config, urls, inline_providers };
}

/** Returns the references of a change with these sections and labels. */
export async function loadReferences(
  db: Db,
  tenantId: string,
  sections: readonly string[],
  labels: readonly string[],
): Promise<AppReferences> {
  const catalogs = await catalogReferences(db, tenantId, sections);
  return { ...catalogs, providers: await providersNamed(db, tenantId, [...new Set(labels)]) };
}

/** Returns labels in limits of single models: they need not be attached. */
function limitedLabels(patch: SectionPatch): string[] {
  const { limits } = patch as {
    limits?: { model_rate_limits?: { provider_label?: unknown }[] } | null;
  };
  const list = Array.isArray(limits?.model_rate_limits) ? limits.model_rate_limits : [];
  return list.map((limit) => limit.provider_label).filter((label) => typeof label === 'string');
}

/** Returns the labels to load for a patch; none if it changes nothing that refers to providers. */
export function labelsNeeded(patch: SectionPatch, current: readonly string[]): string[] {
  const refers = ['routing', 'provider_labels', 'limits'].some((name) => name in patch);
  return refers ? [...current, ...(patch.provider_labels ?? []), ...limitedLabels(patch)] : [];
}

type Place = Pick<Scene, 'tx' | 'call' | 'row'>;
/** A write whose path names the app alone. */
const nothingElse = async (_place: Place) => null;

/** `find` returns the other resource of the path: a missing resource precedes If-Match. */
function write<Found>(
  sealer: Sealer,
  operation: AuditOperation,
  find: (place: Place) => Promise<Found>,
  change: (scene: Scene, found: Found) => Promise<Change>,
): Apply<AppWritten> {
  return async (tx, call): Promise<Written<AppWritten>> => {
    const { tenantId, actor } = call.principal;
    const row = await lockApp(tx, tenantId, call.params.app_name);
    const found = await findThenMatch(
      call,
      () => find({ tx, call, row }),
      () => requireMatch(call.ifMatch, row.version),
    );
    const before = draftOf(sealer, tenantId, row);
    const policy = await selectPolicyAuthority(tx, tenantId);
    const scene = { tx, call, before, policy, row };
    const { after, warnings, sections } = await change(scene, found);
    const inactive = inactiveOf(sections ?? [], policy);
    const toResult = (stored: AppRow): AppWritten => ({
      app: wireApp(stored, policy),
      ...(warnings === undefined ? {} : { warnings }),
      ...(inactive === undefined ? {} : { inactive_under_gwql: inactive }),
    });
    const changed = changesOf(before, after);
    if (changed.length === 0) return { result: toResult(row), announce: [] };
    const isSame = JSON.stringify(before.urls) === JSON.stringify(after.urls);
    const stored = await updateApp(tx, tenantId, row, {
      ...after,
      // Sealing again would produce another text each time.
      sealed_urls: isSame ? row.sealed_urls : sealUrls(sealer, tenantId, row.app_id, after.urls),
    });
    if (stored === null) throw new HubError('precondition_failed');
    const place = { tenantId, appId: row.app_id };
    const versionId = randomUUID();
    await insertVersion(tx, place, {
      version_id: versionId,
      app_version: stored.version,
      actor,
      operation,
      changed,
      previous_config: snapshotOf(before),
      new_config: snapshotOf(after),
    });
    if (changed.some((pointer) => /^\/(enabled|tags)/.test(pointer))) {
      await touchCollection(tx, tenantId, COLLECTION);
    }
    await recordAudit(tx, {
      tenantId,
      actor,
      operation,
      resource: { kind: 'app', id: row.app_id },
      requestId: call.requestId,
      detail: { name: row.name, changed, version_id: versionId },
      management: true,
    });
    return { result: toResult(stored), announce: [{ kind: 'app', id: row.app_id }] };
  };
}

/** The writes of an app's configuration, by the name in operations, versions and audit events. */
export function appWrites(sealer: Sealer): Record<string, Apply<AppWritten>> {
  return {
    'app.update': write(sealer, 'app.update', nothingElse, async ({ tx, call, before, policy }) => {
      const patch = call.body as SectionPatch;
      const sections = sectionsOf(patch);
      const labels = labelsNeeded(patch, before.provider_labels);
      const references = await loadReferences(tx, call.principal.tenantId, sections, labels);
      return { after: patchedApp(before, patch, references, policy), sections };
    }),
    'app.attach_provider': write(
      sealer,
      'app.attach_provider',
      async (place) => {
        const { provider, ...found } = await providerOf(place);
        if (provider === undefined) throw new HubError('not_found');
        return { ...found, provider };
      },
      async ({ call, before, policy }, { references, provider }) => {
        const primary = (call.body as { primary?: boolean } | undefined)?.primary === true;
        return { after: attached(before, provider, primary, references, policy) };
      },
    ),
    'app.detach_provider': write(
      sealer,
      'app.detach_provider',
      async (place) => {
        const found = await providerOf(place);
        if (!place.row.provider_labels.includes(found.label)) throw new HubError('not_found');
        return found;
      },
      async ({ before, policy }, { label, references }) => ({
        after: detached(before, label, references, policy),
      }),
    ),
    'app.convert_providers': write(
      sealer,
      'app.convert_providers',
      nothingElse,
      async ({ tx, call, before, policy }) => {
        const body = call.body as { provider_labels: string[]; routing?: unknown };
        const { tenantId } = call.principal;
        const references = await loadReferences(tx, tenantId, ['routing'], body.provider_labels);
        return {
          after: converted(before, body, references, policy),
          ...(body.routing === undefined ? {} : { sections: ['routing'] }),
        };
      },
    ),
    'app.rollback': write(
      sealer,
      'app.rollback',
      ({ tx, call, row }) =>
        versionOf(tx, call.principal.tenantId, row.app_id, call.params.version_id),
      async ({ tx, call, before, policy }, { new_config: wanted }) => {
        const labels = labelsNeeded(
          { ...wanted, routing: {} } as SectionPatch,
          before.provider_labels,
        );
        const sections = sectionsOf(wanted);
        const references = await loadReferences(tx, call.principal.tenantId, sections, labels);
        const { after, warnings } = rolledBackApp(before, wanted, references, policy);
        return { after, warnings, sections };
      },
    ),
  };
}

async function providerOf({ tx, call, row }: Place) {
  const label = call.params.label ?? '';
  const labels = [...row.provider_labels, label];
  const references = await loadReferences(tx, call.principal.tenantId, ['routing'], labels);
  return { label, references, provider: references.providers.get(label) };
}
