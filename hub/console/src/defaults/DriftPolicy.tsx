// The enforcement of an approved app that drifted on a device, until its review.
import type { DriftPolicyAnswer } from '@gatewarden/shared/wire/console/drift-policy.ts';
import { Radio } from '@mantine/core';
import { oneOf } from '../api/query-string.ts';
import { useResource } from '../api/tenant.ts';
import { Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { driftPolicyTexts } from './drift-policy-texts.ts';
import { SettingForm } from './SettingForm.tsx';

type DriftPolicy = DriftPolicyAnswer['policy'];
const POLICIES = ['approval', 'warn', 'block'] as const satisfies readonly DriftPolicy[];

export function DriftPolicySection() {
  const answer = useResource<DriftPolicyAnswer>('overrides', '/drift-policy');
  const shown = shownOf(answer);
  return (
    <Section title={driftPolicyTexts.title}>
      <Waiting answer={answer} />
      {shown ? <Setting stored={shown} /> : null}
    </Section>
  );
}

function Setting({ stored }: { stored: DriftPolicyAnswer }) {
  return (
    <SettingForm<{ policy: DriftPolicy }>
      stored={stored}
      path="/drift-policy"
      topic="overrides"
      isSame={(a, b) => a.policy === b.policy}
      body={({ policy }) => ({ policy })}
      texts={driftPolicyTexts}
    >
      {({ policy }, choose, mayManage) => (
        <>
          <Radio.Group
            label={driftPolicyTexts.label}
            description={driftPolicyTexts.hint}
            value={policy}
            readOnly={!mayManage}
            onChange={(value) => {
              const wanted = oneOf(POLICIES, value);
              if (wanted !== undefined) choose({ policy: wanted });
            }}
          >
            <div className="gw-radios" data-column="">
              {POLICIES.map((item) => (
                <Radio
                  key={item}
                  value={item}
                  disabled={!mayManage && item !== policy}
                  label={driftPolicyTexts.policies[item]}
                  description={driftPolicyTexts.hints[item]}
                />
              ))}
            </div>
          </Radio.Group>
          <p className="gw-dimmed gw-flat" data-testid="drift-waiting">
            {driftPolicyTexts.waiting(stored.waiting.applications, stored.waiting.devices)}
          </p>
        </>
      )}
    </SettingForm>
  );
}
