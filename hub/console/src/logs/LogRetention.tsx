// The setting of how long logs are stored.
import { NumberInput, Switch } from '@mantine/core';
import { useResource } from '../api/tenant.ts';
import { SettingForm } from '../defaults/SettingForm.tsx';
import { Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { logTexts } from './texts.ts';

const t = logTexts.keys;

interface LogSettings {
  store_payloads: boolean;
  retention_days: number;
  version: string;
}

interface Kept {
  payloads: boolean;
  /** A text while the user types, then a number. */
  days: number | string;
}

export function LogRetention() {
  const answer = useResource<{ settings: LogSettings }>('gateway', '/log-settings');
  const settings = shownOf(answer)?.settings;
  return (
    <Section title={t.settings}>
      <Waiting answer={answer} />
      {settings === undefined ? null : <KeptForm settings={settings} />}
    </Section>
  );
}

function KeptForm({ settings }: { settings: LogSettings }) {
  const stored = { payloads: settings.store_payloads, days: settings.retention_days };
  return (
    <SettingForm<Kept>
      stored={{ ...stored, version: settings.version }}
      path="/log-settings"
      topic="gateway"
      isSame={(a, b) => a.payloads === b.payloads && Number(a.days) === Number(b.days)}
      body={({ payloads, days }) => ({ store_payloads: payloads, retention_days: Number(days) })}
      texts={{ stored: t.stored, conflict: t.conflict, submit: t.store }}
    >
      {(value, choose, mayManage) => (
        <>
          <Switch
            label={t.payloads}
            disabled={!mayManage}
            checked={value.payloads}
            onChange={(event) => choose({ ...value, payloads: event.currentTarget.checked })}
          />
          <NumberInput
            label={t.days}
            disabled={!mayManage}
            min={1}
            max={15}
            allowDecimal={false}
            value={value.days}
            onChange={(days) => choose({ ...value, days })}
          />
        </>
      )}
    </SettingForm>
  );
}
