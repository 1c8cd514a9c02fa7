// An approval is for what was seen when it was given. What the devices had then, and what a review accepted since, is kept
// by product; a device that comes later with something else drifts as one that changed does.
import type { Tx } from '../../../platform/db/database.ts';
import type { DriftedEntity, DriftRow } from './drift-store.ts';
import {
  type Forms,
  formsOf,
  LOOKED_AT,
  seenOf,
  TOO_MANY,
  type ToldLaunch,
  unseenOf,
} from './launch-forms.ts';
import { insertSeen, selectMayDrift, selectSeen, selectToldLaunches } from './seen-store.ts';

/** A product on a device that is to be held against what was seen: it says how it is launched or what it may do. */
export interface Sight {
  found: DriftedEntity;
  /** Its forms are made only where it is approved: most of what comes is not, and a batch may hold very many. */
  told: ToldLaunch;
}

/**
 * A person has looked at the product: all that devices have of it now is seen, but what waits for a review, and what those
 * have that are left out. Where no device has it nothing was seen, and the first that comes says what was meant.
 */
export async function rememberSeen(
  tx: Tx,
  tenantId: string,
  entityId: string,
  but: readonly string[] = [],
): Promise<void> {
  const mayDrift = await selectMayDrift(tx, tenantId, entityId);
  if (mayDrift === null) return;
  const told = mayDrift ? await selectToldLaunches(tx, tenantId, entityId, but) : [];
  await insertSeen(tx, tenantId, seenRows(entityId, keptOf(told)));
}

/** How first sights of approved products are held against what was seen. `learned` is to be kept after the drift. */
export interface HeldSights {
  drifts: DriftRow[];
  learned: { entity_id: string; form: string }[];
}

/**
 * Those of the approved products that are not as they were seen. Of one that was approved before this was kept, or before
 * any device had it, the devices there are say what was seen, but those that drift now; where there are none, these.
 */
export async function holdSights(
  tx: Tx,
  tenantId: string,
  approved: readonly Sight[],
  drifting: readonly DriftRow[],
): Promise<HeldSights> {
  if (approved.length === 0) return { drifts: [], learned: [] };
  const byEntity = Map.groupBy(approved, (one) => one.found.entity_id);
  const { formed, seen } = await readSeen(tx, tenantId, approved);
  const learned: HeldSights['learned'] = [];
  for (const [entityId, sights] of byEntity) {
    if (seen.get(entityId)?.has(LOOKED_AT) === true) continue;
    const ofIt = drifting.filter((one) => one.found.entity_id === entityId);
    const but = [...sights, ...ofIt].map((one) => one.found.device_id);
    const isNew = (await selectMayDrift(tx, tenantId, entityId)) === null;
    const forms = isNew
      ? seenOf(sights.map((one) => one.told))
      : keptOf(await selectToldLaunches(tx, tenantId, entityId, but));
    seen.set(entityId, new Set(forms));
    learned.push(...seenRows(entityId, forms));
  }
  return { drifts: unseenAmong(formed, seen), learned };
}

interface Formed {
  found: DriftedEntity;
  forms: Forms;
}

/** These in their forms, and by product which of those were seen. */
export async function readSeen(
  tx: Tx,
  tenantId: string,
  sights: readonly Sight[],
): Promise<{ formed: Formed[]; seen: Map<string, Set<string>> }> {
  const formed = sights.map(({ found, told }) => ({ found, forms: formsOf(told) }));
  const asked = formed.flatMap(({ forms }) => [...forms.launches, ...forms.permissions.keys()]);
  const products = new Set(formed.map((one) => one.found.entity_id));
  const wanted = new Set([LOOKED_AT, TOO_MANY, ...asked]);
  return { formed, seen: await selectSeen(tx, tenantId, [...products], [...wanted]) };
}

/** Those that are not as they were seen. */
export function unseenAmong(
  formed: readonly Formed[],
  seen: ReadonlyMap<string, ReadonlySet<string>>,
): DriftRow[] {
  return formed.flatMap(({ found, forms }) => {
    const drift = unseenOf(forms, seen.get(found.entity_id) ?? new Set());
    return drift === null ? [] : { found, drift };
  });
}

const keptOf = (told: readonly ToldLaunch[] | null): string[] =>
  told === null ? [LOOKED_AT, TOO_MANY] : seenOf(told);

const seenRows = (entityId: string, forms: readonly string[]) =>
  forms.map((form) => ({ entity_id: entityId, form }));
