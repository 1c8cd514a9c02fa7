// The texts of giving alerts to people.
import { counted } from '../ui/counted.ts';
import { said } from '../ui/visible.ts';

export const assignTexts = {
  assigned: 'Assigned',
  filters: { me: 'To me', nobody: 'To nobody' },
  to: 'Looked after by',
  nobody: 'Nobody',
  self: (email: string) => said`Me (${email})`,
  assignedTo: (who: string) => said`looked after by ${who}`,
  assign: 'Assign',
  assignNamed: (what: string) => `Assign the alert: ${what}`,
  title: 'Assign this alert',
  store: 'Assign',
  acknowledgedMeanwhile: (who: string | null) =>
    who === null ? 'It is acknowledged meanwhile.' : said`It is acknowledged meanwhile, by ${who}.`,
  conflict: (now: string | null) =>
    now === null
      ? 'Somebody else changed this meanwhile: nobody looks after it now. Choose again.'
      : `Somebody else changed this meanwhile: ${now} looks after it now. Choose again.`,
};

/** The texts of one alert and of groups. */
export const groupTexts = {
  grouped: 'Grouped by device, rule and day',
  clear: 'All devices and groups',
  title: 'Groups of alerts',
  count: 'Alerts',
  countNamed: (count: number, what: string) => `${count} alerts: ${what}`,
  open: (count: number) => `${count.toLocaleString('en-GB')} open`,
  acknowledge: (open: number) =>
    open === 1 ? 'Acknowledge' : `Acknowledge ${open.toLocaleString('en-GB')}`,
  acknowledgeNamed: (open: number, what: string) =>
    `Acknowledge ${open === 1 ? 'the alert' : counted(open, 'alert', 'alerts')}: ${what}`,
  acknowledged: (count: number) =>
    count === 1
      ? 'One alert is acknowledged.'
      : `${counted(count, 'alert is', 'alerts are')} acknowledged.`,
  span: 'First and last received',
  one: 'Alert',
  application: 'Application',
  decision: 'Decision',
  noDecision: 'Nobody decided this: the agent tells of itself.',
  unnamedDecision: 'The device did not say by which decision.',
  toDecision: 'Show the decision',
  received: 'Received',
  message: 'Message',
  process: 'Program',
  id: 'Alert id',
} as const;
