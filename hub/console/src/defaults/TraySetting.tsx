// Rights of users in the tray app of their devices, and the contact that it names.
import type {
  TraySettingAnswer,
  TraySettingInput,
} from '@gatewarden/shared/wire/console/tray-setting.ts';
import { PAUSE_MINUTES_MAX } from '@gatewarden/shared/wire/sync/limits.ts';
import { NumberInput, TextInput } from '@mantine/core';
import { useResource } from '../api/tenant.ts';
import { Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { SettingForm } from './SettingForm.tsx';
import { trayTexts } from './tray-texts.ts';

export function TraySettingSection() {
  const answer = useResource<TraySettingAnswer>('devices', '/tray-setting');
  const shown = shownOf(answer);
  return (
    <Section title={trayTexts.title}>
      <Waiting answer={answer} />
      {shown ? <Setting stored={shown} /> : null}
    </Section>
  );
}

function Setting({ stored }: { stored: TraySettingAnswer }) {
  return (
    <SettingForm<TraySettingInput>
      stored={stored}
      path="/tray-setting"
      topic="devices"
      isSame={(a, b) => a.pause_minutes === b.pause_minutes && a.contact === b.contact}
      body={({ pause_minutes, contact }) => ({ pause_minutes, contact: contact?.trim() || null })}
      texts={trayTexts}
    >
      {(setting, choose, mayManage) => (
        <>
          <p className="gw-flat">{trayTexts.lead}</p>
          <TextInput
            label={trayTexts.contact}
            description={trayTexts.contactHint}
            maxLength={256}
            readOnly={!mayManage}
            value={setting.contact ?? ''}
            onChange={(event) => {
              const typed = event.currentTarget.value;
              choose({ ...setting, contact: typed === '' ? null : typed });
            }}
          />
          <NumberInput
            label={trayTexts.pause}
            description={trayTexts.pauseHint}
            min={0}
            max={PAUSE_MINUTES_MAX}
            allowDecimal={false}
            clampBehavior="strict"
            readOnly={!mayManage}
            value={setting.pause_minutes}
            onChange={(typed) => choose({ ...setting, pause_minutes: Number(typed) || 0 })}
          />
        </>
      )}
    </SettingForm>
  );
}
