// The scheduled jobs of a hub. Every process of a deployment schedules them; pg-boss runs each once per period.
import { type DriftMonitor, reconcileApprovals } from '../features/devices/drift/index.ts';
import { followRules } from '../features/devices/groups/index.ts';
import { deleteOldBatches, eraseOutOfScope } from '../features/devices/ingest/index.ts';
import {
  classifyDriftCapability,
  resolveNameConflicts,
  SEARCHED_DEVICES,
  SEARCHED_PRODUCTS,
  touchLastSeen,
} from '../features/devices/inventory/index.ts';
import { applyTimedDecisions } from '../features/devices/overrides/index.ts';
import { SEARCHED_PROCESSES } from '../features/devices/processes/index.ts';
import {
  coverMissedApplications,
  groupProducts,
  recountAllProducts,
  SEARCHED_INVENTORY_PRODUCTS,
  sightProductsAgain,
} from '../features/devices/products/index.ts';
import { advanceRollouts } from '../features/devices/rollouts/index.ts';
import { pruneTombstones } from '../features/devices/sync/index.ts';
import { countDays } from '../features/devices/trends/index.ts';
import type { AppAlerts } from '../features/logs/app-alerts/index.ts';
import type { BudgetAlerts } from '../features/logs/budgets/index.ts';
import { maintainLogs } from '../features/logs/retention/index.ts';
import { SEARCHED_APPS } from '../features/management/apps/index.ts';
import { tidyOperations } from '../features/management/operations/index.ts';
import { deleteOldApprovals } from '../features/mcp/call-approvals/index.ts';
import { deleteOldOAuth } from '../features/mcp/oauth/index.ts';
import { gatewayJobs } from '../features/mcp/sessions/index.ts';
import { deleteOldStarts } from '../features/mcp/upstream-auth/index.ts';
import { deleteOldDeliveries } from '../features/nodes/configuration/index.ts';
import type { NotificationService } from '../features/notifications/channels/index.ts';
import { deleteExpired, SEARCHED_MEMBERS } from '../features/people/identity/index.ts';
import type { KeyExpiryNotices } from '../features/people/key-expiry/index.ts';
import type { AuditCheckpoints } from '../platform/audit-checkpoints.ts';
import { type Db, databaseTime } from '../platform/db/database.ts';
import { maintainPartitions } from '../platform/db/partitions.ts';
import { indexSearches } from '../platform/db/search-index.ts';
import type { ScheduledJob } from '../platform/jobs/jobs.ts';
import { activityRetention } from './routes.ts';

/** The services that scheduled jobs call. */
export interface JobServices {
  notificationService: NotificationService;
  driftMonitor: DriftMonitor;
  appAlerts: AppAlerts;
  budgetAlerts: BudgetAlerts;
  keyExpiry: KeyExpiryNotices;
  auditCheckpoints: AuditCheckpoints;
}

const SEARCHED_LISTS = [
  SEARCHED_PRODUCTS,
  SEARCHED_INVENTORY_PRODUCTS,
  SEARCHED_PROCESSES,
  SEARCHED_MEMBERS,
  SEARCHED_DEVICES,
  SEARCHED_APPS,
];

/** Returns every scheduled job, with its period as a cron expression in UTC. */
export function scheduledJobs(db: Db, services: JobServices): ScheduledJob[] {
  return [
    ...maintenanceJobs(db, services.auditCheckpoints),
    ...deviceJobs(db, services.driftMonitor),
    ...mcpJobs(db),
    ...notificationJobs(db, services),
  ];
}

function maintenanceJobs(db: Db, auditCheckpoints: AuditCheckpoints): ScheduledJob[] {
  return [
    {
      name: 'partitions',
      cron: '17 * * * *',
      run: async () => maintainPartitions(db, activityRetention, await databaseTime(db)),
    },
    {
      name: 'log-partitions',
      cron: '22 * * * *',
      run: async () => maintainLogs(db, await databaseTime(db)),
    },
    { name: 'expired-sign-ins', cron: '27 * * * *', run: () => deleteExpired(db) },
    {
      name: 'searches',
      cron: '* * * * *',
      run: async () => {
        for (const list of SEARCHED_LISTS) await indexSearches(db, list);
      },
    },
    { name: 'audit-checkpoints', cron: '* * * * *', run: () => auditCheckpoints.advance() },
    { name: 'old-operations', cron: '7 * * * *', run: () => tidyOperations(db) },
    { name: 'old-node-deliveries', cron: '12 4 * * *', run: () => deleteOldDeliveries(db) },
  ];
}

function deviceJobs(db: Db, driftMonitor: DriftMonitor): ScheduledJob[] {
  return [
    {
      name: 'rollouts',
      cron: '* * * * *',
      run: async () => advanceRollouts(db, await databaseTime(db)),
    },
    {
      name: 'old-tombstones',
      cron: '57 * * * *',
      run: async () => pruneTombstones(db, await databaseTime(db)),
    },
    { name: 'missed-drift', cron: '* * * * *', run: () => driftMonitor.sweep() },
    { name: 'daily-counts', cron: '*/5 * * * *', run: () => countDays(db) },
    { name: 'scheduled-policies', cron: '* * * * *', run: () => applyTimedDecisions(db) },
    {
      name: 'approval-reconciliation',
      cron: '* * * * *',
      run: () => reconcileApprovals(db, driftMonitor.changed),
    },
    { name: 'group-rules', cron: '* * * * *', run: () => followRules(db) },
    { name: 'discovery-scope', cron: '* * * * *', run: () => eraseOutOfScope(db) },
    { name: 'drift-capability', cron: '* * * * *', run: () => classifyDriftCapability(db) },
    { name: 'product-names', cron: '* * * * *', run: () => resolveNameConflicts(db) },
    { name: 'product-groups', cron: '* * * * *', run: () => groupProducts(db) },
    { name: 'product-policies', cron: '* * * * *', run: () => coverMissedApplications(db) },
    { name: 'product-counts', cron: '34 3 * * *', run: () => recountAllProducts(db) },
    { name: 'product-last-seen', cron: '56 * * * *', run: () => sightProductsAgain(db) },
    { name: 'app-last-seen', cron: '52 * * * *', run: () => touchLastSeen(db) },
    { name: 'old-batches', cron: '37 * * * *', run: () => deleteOldBatches(db) },
  ];
}

function mcpJobs(db: Db): ScheduledJob[] {
  return [
    { name: 'old-oauth', cron: '22 * * * *', run: () => deleteOldOAuth(db) },
    { name: 'old-connection-attempts', cron: '23 * * * *', run: () => deleteOldStarts(db) },
    ...gatewayJobs(db),
    { name: 'old-mcp-approvals', cron: '53 4 * * *', run: () => deleteOldApprovals(db) },
  ];
}

function notificationJobs(
  db: Db,
  { notificationService, appAlerts, budgetAlerts, keyExpiry }: JobServices,
): ScheduledJob[] {
  return [
    { name: 'missed-deliveries', cron: '* * * * *', run: () => notificationService.sweep() },
    { name: 'old-deliveries', cron: '47 * * * *', run: () => notificationService.deleteOld() },
    { name: 'app-alerts', cron: '* * * * *', run: () => appAlerts.evaluate(new Date()) },
    {
      name: 'budgets',
      cron: '* * * * *',
      run: async () => budgetAlerts.evaluate(await databaseTime(db)),
    },
    { name: 'old-budget-records', cron: '3 5 * * *', run: () => budgetAlerts.deleteOld() },
    {
      name: 'expiring-keys',
      cron: '42 * * * *',
      run: async () => keyExpiry.evaluate(await databaseTime(db)),
    },
  ];
}
