// The outcome of an LLM request in badges, and the reasons of a block or change.
import type { LlmRequestItem } from '@gatewarden/shared/wire/console/logs.ts';
import { type Chip, Chips } from '../ui/Chips.tsx';
import { Name } from '../ui/Name.tsx';
import { logTexts as t } from './texts.ts';

type RequestResult = Partial<Pick<LlmRequestItem, 'is_failed'>> &
  Pick<LlmRequestItem, 'is_blocked' | 'is_anonymized' | 'status_code'>;

/** A hub of the previous release omits `is_failed`. */
const isFailed = ({ is_failed, is_blocked, status_code }: RequestResult) =>
  is_failed ?? (!is_blocked && (status_code ?? 0) >= 400);

export function RequestOutcome({ item }: { item: RequestResult }) {
  const chips: Chip[] = [];
  if (item.is_blocked) chips.push({ key: 'blocked', label: t.blocked, tone: 'bad' });
  if (item.is_anonymized) chips.push({ key: 'redacted', label: t.anonymized, tone: 'warn' });
  if (isFailed(item)) {
    const label = [t.failed, item.status_code].filter(Boolean).join(' ');
    chips.push({ key: 'failed', label, tone: 'warn' });
  }
  if (chips.length === 0) chips.push({ key: 'passed', label: t.passed, tone: 'good' });
  return <Chips chips={chips} />;
}

/** A line per reason. */
export function RequestReasons({
  reasons,
  className,
}: Pick<LlmRequestItem, 'reasons'> & { className?: string }) {
  return reasons.map((entry) => (
    <div key={`${entry.action}/${entry.category}`} className={className}>
      <Name value={reasonText(entry)} />
    </div>
  ));
}

export const reasonText = ({
  action,
  category,
  subcategories,
}: LlmRequestItem['reasons'][number]) =>
  [action, category, subcategories.join(', ')].filter(Boolean).join(' · ');
