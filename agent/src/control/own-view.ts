// What one person at this device may know: what was decided about the things here, and what is sent of them. Pure.
import type { HeldDecision, Seen, SeenEntity } from '@gatewarden/shared/wire/local/service.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import type { ScannedEntity, ScanResult } from '../discovery/assemble.ts';

const DECISIONS_MAX = 500;

type Scan = Pick<ScanResult, 'entities' | 'coverage' | 'startedAt'>;

/** What is sent of this device, without what stands in other people's homes. `owner` null: nobody that we know. */
export function seenBy(scan: Scan | null, device: WireDevice, owner: string | null): Seen {
  return {
    device,
    scanned_at: scan?.startedAt.toISOString() ?? null,
    entities: partsOf(scan, owner),
    coverage: (scan?.coverage ?? []).filter((row) => row.owner === null || row.owner === owner),
  };
}

/**
 * Decisions about what this person has here, and all that name no single thing; the strictest first. What is decided
 * about things that are not here (or in another person's home) would tell of those.
 */
export function decisionsFor(
  overrides: readonly WireOverride[],
  scan: Scan | null,
  owner: string | null,
  hubNowMs: number,
): { decisions: HeldDecision[]; more: number } {
  const names = new Map(partsOf(scan, owner).map(({ wire }) => [wire.entity_id, wire.name]));
  const rows = overrides
    .filter(({ match }) => match.entity_id === undefined || names.has(match.entity_id))
    .map((one): HeldDecision => {
      const { revision: _revision, deleted: _deleted, ...shown } = one;
      const begun = one.effective_at === null || Date.parse(one.effective_at) <= hubNowMs;
      const ended = one.expires_at !== null && Date.parse(one.expires_at) <= hubNowMs;
      return {
        ...shown,
        entity_name: names.get(one.match.entity_id ?? '') ?? null,
        in_force: begun && !ended,
      };
    })
    .sort((a, b) => strictness(b) - strictness(a) || (a.override_id < b.override_id ? -1 : 1));
  return {
    decisions: rows.slice(0, DECISIONS_MAX),
    more: Math.max(0, rows.length - DECISIONS_MAX),
  };
}

const strictness = ({ execution_policy }: HeldDecision): number =>
  EXECUTION_POLICIES.indexOf(execution_policy);

function partsOf(scan: Scan | null, owner: string | null): SeenEntity[] {
  const isTheirs = (one: string | null) => one === null || one === owner;
  return (scan?.entities ?? []).flatMap((entity) => partOf(entity, isTheirs) ?? []);
}

/** Null where it stands in other people's homes only. */
function partOf(
  { wire, owners }: ScannedEntity,
  isTheirs: (owner: string | null) => boolean,
): SeenEntity | null {
  const theirs = owners.filter(isTheirs);
  if (theirs.length === 0) return null;
  if (theirs.length === owners.length) return { wire, shared_with_others: false };
  // What is joined over all homes cannot be told apart any more: only what stands in their own rows is left.
  const instances = (wire.instances ?? []).filter((one) => isTheirs(one.owner ?? null));
  const [first] = instances;
  const left: WireEntity = {
    entity_id: wire.entity_id,
    kind: wire.kind,
    source: wire.source,
    name: first?.name || '?',
    version: first?.version ?? null,
    install_path: first?.path ?? null,
    instances,
  };
  return { wire: left, shared_with_others: true };
}
