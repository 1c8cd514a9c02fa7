// All discovered apps by the step of the policy scale that covers them: a bar, its legend, and the numbers as a table.
import { POLICY_STEPS, type PolicyStep } from '@gatewarden/shared/policy-scale.ts';
import type { OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTenant } from '../api/tenant.ts';
import { policyTexts } from '../policies/policy-texts.ts';
import { listOfCategory } from '../products/lists.ts';
import type { Tone } from '../ui/Badges.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Section } from '../ui/Page.tsx';
import { type PartProps, Row } from './DeviceSummary.tsx';
import { ShareBar } from './ShareBar.tsx';
import { stepTexts as t } from './texts.ts';

type StepCounts = OverviewAnswer['apps'][number];

const TONES: Record<PolicyStep, Tone> = {
  unreviewed: 'plain',
  approved: 'good',
  restricted: 'warn',
  blocked: 'bad',
  quarantined: 'worst',
};

const sumStep = (apps: readonly StepCounts[], name: PolicyStep | 'custom'): number =>
  apps.reduce((sum, counts) => sum + counts[name], 0);

const sumSteps = (counts: StepCounts): number =>
  POLICY_STEPS.reduce((sum, step) => sum + counts[step], 0);

/** Shows nothing before the first app is discovered. */
export function PolicySteps({ overview: { apps } }: PartProps) {
  const { tenantId } = useTenant();
  const [isOpen, setOpen] = useState(false);
  const total = apps.reduce((sum, counts) => sum + sumSteps(counts), 0);
  if (total === 0) return null;
  const custom = sumStep(apps, 'custom');
  return (
    <Section
      title={t.title}
      aside={
        <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
          {t.table}
        </Button>
      }
    >
      <ShareBar
        label={t.bar(total)}
        shares={POLICY_STEPS.map((step) => ({
          ...{ key: step, value: sumStep(apps, step), tone: TONES[step] },
        }))}
      />
      <ul className="gw-overview-rows gw-step-rows">
        {POLICY_STEPS.map((step) => (
          <Row
            key={step}
            name={policyTexts.steps[step]}
            count={sumStep(apps, step)}
            mark={TONES[step]}
          >
            {(content) => (
              <Link
                to="/t/$tenantId/inventory/all"
                params={{ tenantId }}
                search={{ policy_step: step }}
                className="gw-overview-link"
              >
                {content}
              </Link>
            )}
          </Row>
        ))}
      </ul>
      {custom === 0 ? null : <p className="gw-dimmed gw-small gw-flat">{t.custom(custom)}</p>}
      {isOpen ? <NumbersDialog apps={apps} onClosed={() => setOpen(false)} /> : null}
    </Section>
  );
}

function NumbersDialog({ apps, onClosed }: { apps: readonly StepCounts[]; onClosed: () => void }) {
  return (
    <Dialog title={t.title} wide onClosed={onClosed}>
      {() => (
        <table className="gw-table">
          <thead>
            <tr>
              <th scope="col">{t.category}</th>
              {POLICY_STEPS.map((step) => (
                <th key={step} scope="col" data-align="end">
                  {policyTexts.steps[step]}
                </th>
              ))}
              <th scope="col" data-align="end">
                {t.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {apps.map((counts) => (
              <tr key={counts.category}>
                <th scope="row">{listOfCategory(counts.category).title}</th>
                {POLICY_STEPS.map((step) => (
                  <td
                    key={step}
                    className="gw-num"
                    data-label={policyTexts.steps[step]}
                    data-align="end"
                  >
                    {t.count(counts[step])}
                  </td>
                ))}
                <td className="gw-num" data-label={t.total} data-align="end">
                  {t.count(sumSteps(counts))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
