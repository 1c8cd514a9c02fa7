// An approval is for what was seen when it was given. What the devices had then, and what a review accepted since, is kept
// by product; a device that comes later with something else drifts as one that changed does.
import type { Tx } from '../../../platform/db/database.ts';
import {
  insertSeen,
  presentPages,
  type SeenRow,
  selectMayDrift,
  selectSeen,
  selectToldLaunches,
} from './baseline-store.ts';
import { mayDrift } from './detect.ts';
import type { DriftedEntity, DriftRow } from './drift-store.ts';
import {
  type Forms,
  formsOf,
  gatherSeen,
  LOOKED_AT,
  meantBy,
  NOBODY_YET,
  seenOf,
  TOO_MANY,
  type ToldLaunch,
  unseenOf,
} from './fingerprint.ts';

/** A product on a device that is to be held against what was seen: it says how it is launched or what it may do. */
export interface Sight {
  found: DriftedEntity;
  /** Its forms are made only where it is approved: most of what comes is not, and a batch may hold very many. */
  told: ToldLaunch;
  /** As it stood there until now, launched alike; what an approval reached already comes under none. */
  before?: DriftedEntity;
}

/** Those on which an approval counts, on the device where each was found. */
export type ApprovedAmong = (
  tx: Tx,
  tenantId: string,
  found: readonly DriftedEntity[],
) => Promise<readonly DriftedEntity[]>;

/** Whom the approvals of a product are for; `only`: where those are among a few devices, which. */
export type MeantFor = 'everybody' | { among: ApprovedAmong; only: readonly string[] | null };

/**
 * A person has looked at the product: what those devices have of it now that its approvals are for is seen, but what waits
 * for a review, and what those have that are left out. Where none of them has it, and nobody had looked before, what the
 * others have was looked at; where no device has it nothing was, and the first that comes says what was meant.
 */
export async function rememberSeen(
  tx: Tx,
  tenantId: string,
  entityId: string,
  looked: { meant: MeantFor; but?: readonly string[] },
): Promise<void> {
  const mayDrift = await selectMayDrift(tx, tenantId, entityId);
  if (mayDrift === null) return;
  const present = mayDrift ? await presentForms(tx, tenantId, entityId, looked) : seenOf([]);
  const forms = present ?? (await othersForms(tx, tenantId, entityId, looked.but));
  await insertSeen(tx, tenantId, seenRows(entityId, forms));
}

/**
 * The same of what was approved when this was not kept, or when no device had it: its page showed nothing of what others
 * have.
 */
export async function learnSeen(
  tx: Tx,
  tenantId: string,
  entityId: string,
  meant: MeantFor,
): Promise<void> {
  const mayDrift = await selectMayDrift(tx, tenantId, entityId);
  if (mayDrift === null) return;
  const present = mayDrift ? await presentForms(tx, tenantId, entityId, { meant }) : seenOf([]);
  await insertSeen(tx, tenantId, seenRows(entityId, present ?? [NOBODY_YET]));
}

/** Null where none of those says anything of it whom its approvals are for. */
async function presentForms(
  tx: Tx,
  tenantId: string,
  entityId: string,
  { meant, but = [] }: Parameters<typeof rememberSeen>[3],
): Promise<string[] | null> {
  if (meant === 'everybody') {
    // Alike ones are told once. Of very many ways each device is read.
    const told = await selectToldLaunches(tx, tenantId, entityId, but);
    if (told !== null) return seenOf(told);
  }
  const gathered = gatherSeen();
  let hasAny = meant === 'everybody';
  const which = { alsoWaiting: true, only: meant === 'everybody' ? null : meant.only };
  for await (const page of presentPages(tx, tenantId, entityId, which)) {
    const found = page.map((installation) => installation.found);
    const theirs = new Set(meant === 'everybody' ? found : await meant.among(tx, tenantId, found));
    for (const installation of page) {
      if (!theirs.has(installation.found) || !mayDrift(installation.told)) continue;
      hasAny = true;
      if (!installation.waits && !but.includes(installation.found.device_id)) gathered.add(installation.told);
    }
  }
  return hasAny ? gathered.forms() : null;
}

async function othersForms(
  tx: Tx,
  tenantId: string,
  entityId: string,
  but: readonly string[] = [],
): Promise<string[]> {
  const looked = await selectSeen(tx, tenantId, [entityId], [LOOKED_AT]);
  if (looked.size > 0) return [];
  return (await presentForms(tx, tenantId, entityId, { meant: 'everybody', but })) ?? seenOf([]);
}

/** How first sights of approved products are held against what was seen. `learned` is to be kept after the drift. */
export interface HeldSights {
  drifts: DriftRow[];
  learned: SeenRow[];
}

/**
 * Those of the approved products that are not as they were seen. Where nobody had one yet for whom it is approved, these say
 * what was meant. Of what was approved before this was kept nothing is known: a job looks at it, and until then nothing is
 * held against it.
 */
export async function holdSights(
  tx: Tx,
  tenantId: string,
  approved: readonly Sight[],
): Promise<HeldSights> {
  if (approved.length === 0) return { drifts: [], learned: [] };
  const { formed, seen } = await readSeen(tx, tenantId, approved);
  const learned: SeenRow[] = [];
  for (const [entityId, sights] of Map.groupBy(approved, (observation) => observation.found.entity_id)) {
    const ofIt = seen.get(entityId);
    if (ofIt?.has(LOOKED_AT) === true) continue;
    const isFirst =
      ofIt?.has(NOBODY_YET) === true || (await selectMayDrift(tx, tenantId, entityId)) === null;
    if (!isFirst) continue;
    const forms = meantBy(sights.map((sight) => sight.told));
    learned.push(...seenRows(entityId, forms));
    seen.set(entityId, new Set(forms));
  }
  const known = formed.filter((item) => seen.get(item.found.entity_id)?.has(LOOKED_AT) === true);
  return { drifts: unseenAmong(known, seen), learned };
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
  const asked = formed.flatMap(({ forms }) => [
    ...forms.launches,
    ...[forms.exact, forms.whole].filter((item) => item !== null),
    ...forms.permissions.keys(),
  ]);
  const products = new Set(formed.map((item) => item.found.entity_id));
  const wanted = new Set([LOOKED_AT, NOBODY_YET, TOO_MANY, ...asked]);
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

export const seenRows = (entityId: string, forms: readonly string[]): SeenRow[] =>
  forms.map((form) => ({ entity_id: entityId, form }));
