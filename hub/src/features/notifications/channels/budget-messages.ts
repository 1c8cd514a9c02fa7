// The message about a budget of the LLM gateway: which budget reached which share, and whether requests are refused. Pure.
import type { ChatMessage } from '../../../platform/delivery/chat/message.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import { type MessageContext, type MessageFormats, routeFacts } from './messages.ts';

export interface SentBudgetNotice {
  notice_id: string;
  /** `organization`, or the id of an app. */
  scope: string;
  app_name: string | null;
  /** The first day of the month. */
  month: string;
  percent: number;
  spent_usd: number;
  monthly_usd: number;
  blocks: boolean;
  created_at: Date;
}

/** Returns the formats of a notice. The console URL of `context` is the page of usage. */
export function formatBudgetNotice(
  context: MessageContext,
  notice: SentBudgetNotice,
): MessageFormats {
  return {
    webhook: () => webhookBody(context, notice),
    chat: () => chatMessage(context, notice),
    mail: () => formatMail(context, notice),
  };
}

const LONGEST_NAME = 100;
const usd = (amount: number) => `$${amount.toFixed(2)}`;

const ownerOf = ({ app_name: name, scope }: SentBudgetNotice): string =>
  scope === 'organization' ? 'The organization' : toSingleLine(name ?? scope, LONGEST_NAME);

const isRefusing = ({ blocks, percent }: SentBudgetNotice) => blocks && percent >= 100;

const spentText = ({ spent_usd, monthly_usd }: SentBudgetNotice) =>
  `${usd(spent_usd)} of ${usd(monthly_usd)} are spent.`;

function effectText(notice: SentBudgetNotice): string {
  if (isRefusing(notice)) return 'The gateway refuses requests until the month ends.';
  return notice.percent >= 100
    ? 'Requests continue.'
    : 'Requests continue until the budget is spent.';
}

const titleOf = (notice: SentBudgetNotice) =>
  `${ownerOf(notice)} reached ${notice.percent}% of the LLM budget`;

function webhookBody({ tenantId, channel, consoleUrl }: MessageContext, notice: SentBudgetNotice) {
  const at = notice.created_at.toISOString();
  const { notice_id, scope, app_name, month, percent, spent_usd, monthly_usd } = notice;
  return JSON.stringify({
    type: 'budget.reached',
    timestamp: at,
    data: {
      tenant_id: tenantId,
      route: routeFacts(channel),
      budget: {
        ...{ notice_id, scope, app_name, month, percent, spent_usd, monthly_usd },
        is_refusing: isRefusing(notice),
      },
      console_url: consoleUrl,
    },
  });
}

function chatMessage(
  { consoleUrl, tenantId }: MessageContext,
  notice: SentBudgetNotice,
): ChatMessage {
  const at = notice.created_at.toISOString();
  return {
    title: 'LLM budget',
    subject: titleOf(notice),
    lines: [spentText(notice), effectText(notice)],
    facts: [{ name: 'Time', value: at }],
    link: { label: 'Open usage', url: consoleUrl },
    incident: {
      dedupKey: `gatewarden/${tenantId}/budget/${notice.scope}/${notice.month}`,
      ...{ action: 'trigger', severity: notice.percent >= 100 ? 'error' : 'warning' },
      ...{ source: ownerOf(notice), at },
    },
  };
}

function formatMail(
  { channel, consoleUrl }: MessageContext,
  notice: SentBudgetNotice,
): { subject: string; text: string } {
  return {
    subject: `[Gatewarden] ${titleOf(notice)}`,
    text: [
      `${titleOf(notice)}. ${spentText(notice)} ${effectText(notice)}`,
      '',
      `Open usage: ${consoleUrl}`,
      '',
      `Sent by the notification channel ${toSingleLine(channel.name)}.`,
      '',
    ].join('\n'),
  };
}
