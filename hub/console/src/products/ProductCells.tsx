// Cells that the product list and a product's page share.
import type { ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import { policyTexts } from '../decisions/policy-texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { productTexts as t } from './texts.ts';

const STATUS_TONES: Record<ProductRow['approval_status'], Tone> = {
  pending: 'plain',
  approved: 'good',
  restricted: 'warn',
  blocked: 'bad',
  mixed: 'info',
};

export function StatusCell({
  row,
}: {
  row: Pick<ProductRow, 'approval_status' | 'execution_policy' | 'drifted_at'>;
}) {
  return (
    <span className="gw-badges">
      {row.execution_policy === 'quarantine' && row.approval_status === 'blocked' ? (
        <Badge tone="worst" dot>
          {policyTexts.steps.quarantined}
        </Badge>
      ) : (
        <Badge tone={STATUS_TONES[row.approval_status]} dot>
          {t.statuses[row.approval_status]}
        </Badge>
      )}
      {row.drifted_at === null ? null : (
        <span title={t.drifted}>
          <Badge tone="warn">{t.driftedShort}</Badge>
        </span>
      )}
    </span>
  );
}

export function PlatformChips({ platforms }: Pick<ProductRow, 'platforms'>) {
  return (
    <span className="gw-badges">
      {platforms.map(({ platform, device_count }) => (
        <Badge key={platform} tone="plain">
          {t.platformNames[platform]} {device_count.toLocaleString()}
        </Badge>
      ))}
    </span>
  );
}

export function RiskChips({ risk_hints }: Pick<ProductRow, 'risk_hints'>) {
  return (
    <span className="gw-badges">
      {risk_hints.map((hint) => (
        <Badge key={hint} tone="warn">
          {t.hints[hint]}
        </Badge>
      ))}
    </span>
  );
}
