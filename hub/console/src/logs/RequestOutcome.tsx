// How an LLM request ended, in badges, and what stopped or changed it.
import type { LlmRequestItem } from '@gatewarden/shared/wire/console/logs.ts';
import { Badge } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { logTexts as t } from './texts.ts';

type Ended = Partial<Pick<LlmRequestItem, 'is_failed'>> &
  Pick<LlmRequestItem, 'is_blocked' | 'is_anonymized' | 'status_code'>;

/** A hub of the release before does not say it. */
const isFailed = ({ is_failed, is_blocked, status_code }: Ended) =>
  is_failed ?? (!is_blocked && (status_code ?? 0) >= 400);

export function RequestOutcome({ item }: { item: Ended }) {
  const failed = isFailed(item);
  return (
    <div className="gw-badges">
      {item.is_blocked ? <Badge tone="bad">{t.blocked}</Badge> : null}
      {item.is_anonymized ? <Badge tone="warn">{t.anonymized}</Badge> : null}
      {failed ? (
        <Badge tone="warn">
          {t.failed} {item.status_code}
        </Badge>
      ) : null}
      {!item.is_blocked && !item.is_anonymized && !failed ? (
        <Badge tone="good">{t.passed}</Badge>
      ) : null}
    </div>
  );
}

/** One line for each reason. */
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
