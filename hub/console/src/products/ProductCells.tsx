// Cells that the product list and a product's page share.
import type { ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import { policyTexts } from '../policies/policy-texts.ts';
import type { Tone } from '../ui/Badges.tsx';
import { type Chip, Chips } from '../ui/Chips.tsx';
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
  const isQuarantined = row.execution_policy === 'quarantine' && row.approval_status === 'blocked';
  const status: Chip = {
    key: 'status',
    label: isQuarantined ? policyTexts.steps.quarantined : t.statuses[row.approval_status],
    tone: isQuarantined ? 'worst' : STATUS_TONES[row.approval_status],
    dot: true,
  };
  const changed: Chip = { key: 'changed', label: t.driftedShort, tone: 'warn', title: t.drifted };
  return <Chips chips={row.drifted_at === null ? [status] : [status, changed]} />;
}

export function PlatformChips({ platforms }: Pick<ProductRow, 'platforms'>) {
  const chips = platforms.map(({ platform, device_count: count }): Chip => {
    return {
      key: platform,
      label: `${t.platformNames[platform]} ${count.toLocaleString()}`,
      tone: 'plain',
    };
  });
  return <Chips chips={chips} />;
}

export function RiskChips({ risk_hints: hints }: Pick<ProductRow, 'risk_hints'>) {
  return <Chips chips={hints.map((hint) => ({ key: hint, label: t.hints[hint], tone: 'warn' }))} />;
}
