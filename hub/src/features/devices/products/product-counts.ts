// Groups applications into products and recounts them. Ingest marks what moved; this runs a moment later in the process
// that committed it, and each minute as a job for what another process or an older release left. Safe to repeat.
import { foldName } from '@gatewarden/shared/names.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { lockAgainstDeletion } from '../../../platform/db/tenant-rows.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import {
  describeProduct,
  PRODUCT_RULES_VERSION,
  productIdOf,
  productKey,
} from '../product-identity/index.ts';
import {
  type DescribedProduct,
  deleteEmptyProducts,
  type GroupedApplication,
  groupApplications,
  lockRecount,
  lockUngrouped,
  markUncounted,
  recountProducts,
  refreshLastSeen,
  type SampledEntity,
  selectGroupedTenants,
  selectSamples,
  selectUncounted,
  selectUngroupedTenants,
  type UngroupedApplication,
  ungroupAll,
} from './counts-store.ts';
import { riskHintsOf } from './risk-hints.ts';

/** Applications in a transaction: their rows stay locked meanwhile, and ingest waits. */
const GROUP_BATCH = 100;
/** Products in a transaction, for which ingest does not wait. */
const COUNT_BATCH = 50;
/** Batches of a tenant in a run, so that it ends; the next follows within a minute. */
const BATCHES_MAX = 2_000;
const DEBOUNCE_MS = 250;
/** A recount takes at most this part of the time: under a stream of scans the counts lag instead of the database. */
const SHARE_OF_TIME = 10;

export interface ProductCounts {
  /** Called after a commit that changed the inventory of the tenant. */
  changed(tenantId: string): void;
  /** Ends a recount after its current batch; the next hub or job continues it. */
  stop(): Promise<void>;
}

/** Groups and recounts what awaits it, in all tenants. */
export async function groupProducts(db: Db): Promise<void> {
  const tenants = await selectUngroupedTenants(db, PRODUCT_RULES_VERSION);
  await forEachIsolated(tenants, 'some products were not counted', async (tenantId) => {
    await groupTenant(db, tenantId, () => false);
  });
}

/** Counts all products anew, so that what no ingest moves, such as the owner of a device, is right the next day. */
export async function recountAllProducts(db: Db): Promise<void> {
  await ungroupAll(db);
  await groupProducts(db);
}

/** Moves the last sight of products on, behind that of their applications. */
export async function sightProductsAgain(db: Db): Promise<void> {
  await forEachIsolated(
    await selectGroupedTenants(db),
    'the last sight of some products was not moved',
    (tenantId) =>
      transact(db, async (tx) => {
        await lockRecount(tx, tenantId);
        await refreshLastSeen(tx, tenantId);
      }),
  );
}

interface RecountListener {
  /** Called after a recount, so that open pages read the new counts. */
  recounted(tenantId: string): void;
  complain(error: unknown): void;
}

/** Recounts soon after changes that this process commits, many of them at once. */
export function createProductCounts(
  db: Db,
  { recounted, complain }: RecountListener,
): ProductCounts {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;
  const schedule = (delayMs: number) => {
    if (isStopped || timer !== null || running !== null) return;
    timer = setTimeout(() => {
      timer = null;
      const started = performance.now();
      running = run().finally(() => {
        running = null;
        const taken = performance.now() - started;
        if (changed.size > 0) schedule(Math.max(DEBOUNCE_MS, taken * SHARE_OF_TIME));
      });
    }, delayMs).unref();
  };
  const run = async () => {
    for (const tenantId of [...changed]) {
      changed.delete(tenantId);
      try {
        if (await groupTenant(db, tenantId, () => isStopped)) recounted(tenantId);
      } catch (error) {
        complain(error);
      }
    }
  };
  return {
    changed(tenantId) {
      changed.add(tenantId);
      schedule(DEBOUNCE_MS);
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      changed.clear();
      await running;
    },
  };
}

/** Returns whether a product was counted. */
async function groupTenant(db: Db, tenantId: string, isStopped: () => boolean): Promise<boolean> {
  const repeat = (batch: (tx: Tx, tenantId: string) => Promise<number>) =>
    repeatUntilIdle(
      () =>
        transact(db, async (tx) =>
          (await lockAgainstDeletion(tx, tenantId)) ? batch(tx, tenantId) : 0,
        ),
      isStopped,
    );
  await repeat(groupBatch);
  return repeat(countBatch);
}

/** Repeats a batch until it reports that it did nothing; returns whether any batch did something. */
async function repeatUntilIdle(
  batch: () => Promise<number>,
  isStopped: () => boolean,
): Promise<boolean> {
  for (let i = 0; i < BATCHES_MAX; i++) {
    if (isStopped() || (await batch()) === 0) return i > 0;
  }
  return true;
}

/** Returns how many applications it grouped; their products await a recount. */
async function groupBatch(tx: Tx, tenantId: string): Promise<number> {
  await lockRecount(tx, tenantId);
  const applications = await lockUngrouped(tx, tenantId, PRODUCT_RULES_VERSION, GROUP_BATCH);
  if (applications.length === 0) return 0;
  const ids = applications.map((application) => application.entity_id);
  const samples = Map.groupBy(await selectSamples(tx, tenantId, ids), (sample) => sample.entity_id);
  const grouped = applications.map((application) =>
    groupOf(application, samples.get(application.entity_id) ?? []),
  );
  await groupApplications(tx, tenantId, PRODUCT_RULES_VERSION, grouped);
  const former = applications.flatMap((application) => application.product_key ?? []);
  const keys = new Set([...grouped.map((application) => application.product_key), ...former]);
  await markUncounted(tx, tenantId, [...keys].map(describedProduct));
  return applications.length;
}

/** Returns how many products it counted. */
async function countBatch(tx: Tx, tenantId: string): Promise<number> {
  await lockRecount(tx, tenantId);
  const keys = await selectUncounted(tx, tenantId, COUNT_BATCH);
  const products = keys.map(describedProduct);
  await recountProducts(tx, tenantId, products);
  await deleteEmptyProducts(
    tx,
    tenantId,
    products.map((product) => product.product_id),
  );
  return keys.length;
}

/** The product that ingest identified stays until the rules change, whatever a single device reports later. */
function groupOf(
  application: UngroupedApplication,
  samples: readonly SampledEntity[],
): GroupedApplication {
  const { product_key: current, product_rules: rules } = application;
  const isCurrent = current !== null && rules >= PRODUCT_RULES_VERSION;
  const { details, install_path } = samples[0] ?? {};
  const key = isCurrent ? current : productKey({ ...application, details, install_path });
  return {
    entity_id: application.entity_id,
    product_id: productIdOf(key),
    product_key: key,
    risk_hints: application.kind === 'package' ? [] : riskHintsOf(samples),
  };
}

function describedProduct(key: string): DescribedProduct {
  const { category, curated } = describeProduct(key);
  return {
    product_id: productIdOf(key),
    product_key: key,
    category,
    curated_name: curated?.name ?? null,
    curated_folded: curated === null ? null : foldName(curated.name),
    vendor: curated?.vendor ?? null,
  };
}
