// Texts of alerts: assignment, clusters, states and resolution, and filters.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { counted } from '../ui/counted.ts';
import { visibleText } from '../ui/visible.ts';

export const assignTexts = {
  assigned: 'Assignee',
  filters: { me: 'Assigned to me', nobody: 'Unassigned' },
  to: 'Assignee',
  nobody: 'Unassigned',
  self: (email: string) => visibleText`Me (${email})`,
  assignedTo: 'assigned to',
  assign: 'Assign',
  assignNamed: (what: string) => `Assign the alert: ${what}`,
  title: 'Assign this alert',
  store: 'Assign',
  acknowledgedMeanwhile: (who: string | null) =>
    who === null
      ? 'This alert was already acknowledged.'
      : visibleText`This alert was already acknowledged by ${who}.`,
  conflict: (now: string | null) =>
    now === null
      ? 'Someone else unassigned this alert. Choose again.'
      : `Someone else assigned this alert to ${now}. Choose again.`,
};

/** Texts of an alert and of clusters. */
export const groupTexts = {
  grouped: 'Group by device, policy and day',
  clear: 'All devices and groups',
  allUsers: (user: string) => `Only ${user}. Show all users`,
  title: 'Alert groups',
  count: 'Alerts',
  countNamed: (count: number, what: string) => `${count} alerts: ${what}`,
  open: (count: number) => `${count.toLocaleString('en-GB')} new`,
  acknowledge: (open: number) =>
    open === 1 ? 'Acknowledge' : `Acknowledge ${open.toLocaleString('en-GB')}`,
  acknowledgeNamed: (open: number, what: string) =>
    `Acknowledge ${open === 1 ? 'the alert' : counted(open, 'alert', 'alerts')}: ${what}`,
  acknowledged: (count: number) => `${counted(count, 'alert', 'alerts')} acknowledged.`,
  span: 'First and last received',
  alert: 'Alert',
  application: 'App',
  decision: 'Policy',
  noDecision: 'Agent health event (no policy involved).',
  unnamedDecision: 'The device did not report which policy triggered this.',
  toDecision: 'Show policy',
  received: 'Received',
  message: 'Message',
  process: 'Program',
  id: 'Alert ID',
} as const;

const RESOLUTIONS = { false_positive: 'False positive', expected: 'Expected', fixed: 'Fixed' };

/** Texts of the states of an alert and of its resolution. */
export const resolveTexts = {
  inProgress: 'In progress',
  resolved: 'Resolved',
  resolutions: RESOLUTIONS,
  open: 'Resolve',
  title: (count: number) =>
    count === 1 ? 'Resolve this alert' : `Resolve ${counted(count, 'alert', 'alerts')}`,
  resolution: 'Resolution',
  comment: 'Comment',
  commentHint: 'Shown to everyone who can see the alert.',
  submit: (count: number) => (count === 1 ? 'Resolve' : `Resolve ${count.toLocaleString('en-US')}`),
  done: (count: number) => `${counted(count, 'alert', 'alerts')} resolved.`,
  /** `alert`: the only alert of the dialog as it is now. */
  conflict: (alert: Pick<AlertRow, 'acknowledged_by' | 'resolution'> | undefined) =>
    alert?.resolution == null
      ? 'Someone else resolved one of these alerts. Close this dialog, clear the selection and check the list.'
      : visibleText`${alert.acknowledged_by ?? 'Someone else'} resolved this alert: ${RESOLUTIONS[alert.resolution]}. Resolve it again to replace that result and its comment.`,
  select: (what: string) => `Select the alert: ${what}`,
  selected: (count: number) => `${counted(count, 'alert', 'alerts')} selected`,
  clear: 'Clear selection',
};

/** Texts of the filters beside the list. */
export const alertFacetTexts = {
  states: { open: 'Open', acknowledged: 'Resolved or acknowledged' },
  type: 'Type',
  app: 'App or process',
} as const;
