// Labels of the hub's scheduled jobs, in this file only. A job without a label shows its name in words.
import { stateLabel } from '../labels.ts';

const JOB_LABELS: Readonly<Record<string, string>> = {
  'app-alerts': 'Check failure rates of gateway apps',
  'audit-checkpoints': 'Seal the audit log',
  'discovery-scope': 'Apply the discovery scope',
  'expired-sign-ins': 'Remove expired sign-ins',
  'missed-deliveries': 'Retry missed notifications',
  'missed-drift': 'Find missed app changes',
  'group-rules': 'Update device groups by rule',
  'key-ending-mails': 'Send reminders of expiring keys',
  'expiring-keys': 'Find expiring keys',
  'log-partitions': 'Prepare and remove daily logs',
  'old-batches': 'Remove old scan batches',
  'old-deliveries': 'Remove old notifications',
  'old-tombstones': 'Remove old records of removed policies',
  budgets: 'Check budgets of the AI gateway',
  'old-budget-records': 'Remove old budget records',
  'old-connection-attempts': 'Remove unfinished MCP server connections',
  'old-mcp-approvals': 'Remove old tool approvals',
  'old-mcp-sessions': 'Remove old MCP sessions',
  'old-mcp-streams': 'Remove old MCP streams',
  'old-node-deliveries': 'Remove old deliveries of gateway nodes',
  'old-oauth': 'Remove expired MCP sign-ins',
  'old-operations': 'Remove old management operations',
  partitions: 'Prepare and remove daily tables',
  'daily-counts': 'Count for trends',
  'product-counts': 'Recount all products',
  'product-groups': 'Group apps into products',
  'product-names': 'Update names of apps',
  'product-policies': 'Apply product policies to new apps',
  'product-last-seen': 'Update when products were last seen',
  'app-last-seen': 'Update when apps were last seen',
  rollouts: 'Advance rollouts',
  searches: 'Update the search index',
  'scheduled-policies': 'Start and end scheduled policies',
  'drift-capability': 'Check new apps against approvals',
  'approval-reconciliation': 'Hold approvals of unseen launches',
};

/** Returns the label of a scheduled job. */
export const jobLabel = (name: string): string =>
  Object.hasOwn(JOB_LABELS, name) ? (JOB_LABELS[name] ?? name) : stateLabel(name);
