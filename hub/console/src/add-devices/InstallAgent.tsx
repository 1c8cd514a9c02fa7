// The ways to install the agent on each operating system: a command for a device, and files for device management.
import { Button, NativeSelect, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { MayBeMade } from '../ui/MayBeMade.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { INSTALLERS, SYSTEMS, type System } from './install-commands.ts';
import { MdmFiles } from './MdmFiles.tsx';
import { addTexts as t } from './texts.ts';
import { type EnrollmentToken, useEnrollmentToken } from './use-enrollment-token.ts';

interface InstallAgentProps {
  token: EnrollmentToken | null;
  onToken: (token: EnrollmentToken | null) => void;
}

export function InstallAgent({ token, onToken }: InstallAgentProps) {
  const [system, setSystem] = useState<System>('linux');
  const [owner, setOwner] = useState('');
  return (
    <Section title={t.install}>
      <Tabs
        value={system}
        onChange={(value) => setSystem(SYSTEMS.find((known) => known === value) ?? system)}
        keepMounted={false}
      >
        <Tabs.List aria-label={t.install}>
          {SYSTEMS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t.systems[value]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SYSTEMS.map((value) => (
          <Tabs.Panel key={value} value={value} pt="md">
            {token === null ? (
              <CreateToken system={value} onToken={onToken} />
            ) : (
              <div className="gw-stack">
                <Command system={value} token={token} owner={owner} onOwner={setOwner} />
                <div>
                  <Button size="xs" variant="default" onClick={() => onToken(null)}>
                    {t.again}
                  </Button>
                </div>
                <MdmFiles system={value} token={token.secret} />
              </div>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

const DAYS = ['1', '7', '30', '90'] as const;

interface CreateTokenProps {
  system: System;
  onToken: (token: EnrollmentToken) => void;
}

function CreateToken({ system, onToken }: CreateTokenProps) {
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const create = useEnrollmentToken(onToken);
  const today = new Date().toISOString().slice(0, 10);
  return (
    <form
      className="gw-form"
      onSubmit={(event) => {
        event.preventDefault();
        const name = t.tokenName(t.systems[system], today);
        create.mutate({ name, expires_in_days: Number(days) });
      }}
    >
      <p className="gw-flat">{t.createText}</p>
      <NativeSelect
        label={t.days}
        value={days}
        data={DAYS.map((value) => ({ value, label: t.daysNames[value] }))}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          setDays(DAYS.find((value) => value === chosen) ?? days);
        }}
      />
      {create.isError ? <ErrorPanel error={create.error} title={texts.errors.notSaved} /> : null}
      <MayBeMade error={create.error} />
      <div>
        <Button type="submit" loading={create.isPending}>
          {t.create}
        </Button>
      </div>
    </form>
  );
}

/** In the command until the administrator names the owner. */
const OWNER_PLACEHOLDER = 'OWNER@EXAMPLE.COM';

interface CommandProps {
  system: System;
  token: EnrollmentToken;
  owner: string;
  onOwner: (owner: string) => void;
}

function Command({ system, token, owner, onOwner }: CommandProps) {
  const { tenantId } = useTenant();
  const installers = INSTALLERS.filter((installer) => installer.system === system);
  const [key, setKey] = useState(installers[0]?.key);
  const installer = installers.find((item) => item.key === key) ?? installers[0];
  // The console is served under the hub's canonical origin.
  const { origin, hostname } = window.location;
  if (installer === undefined) return null;
  const subscriberId = owner.trim() === '' ? OWNER_PLACEHOLDER : owner.trim();
  return (
    <div className="gw-form" data-testid="installer">
      <div className="gw-form-pair">
        <TextInput
          label={t.owner}
          description={t.ownerHint}
          maxLength={128}
          placeholder="ada@example.com"
          value={owner}
          onChange={(event) => onOwner(event.currentTarget.value)}
        />
        {installers.length < 2 ? null : (
          <NativeSelect
            label={t.package}
            description={t.packages}
            value={installer.key}
            data={installers.map((item) => ({ value: item.key, label: item.name }))}
            onChange={(event) => {
              const value = event.currentTarget.value;
              setKey(installers.find((item) => item.key === value)?.key);
            }}
          />
        )}
      </div>
      {isLoopback(hostname) ? (
        <p className="gw-notice" role="note">
          {t.loopback(origin)}
        </p>
      ) : null}
      <CopyBlock
        label={t.command(installer.name)}
        text={installer.command({ baseUrl: origin, tenantId, subscriberId, token: token.secret })}
      />
      {subscriberId === OWNER_PLACEHOLDER ? (
        <p className="gw-flat gw-dimmed">{t.ownerMissing(OWNER_PLACEHOLDER)}</p>
      ) : null}
      <p className="gw-flat gw-dimmed gw-small">
        {t.expires} <Time at={token.expiresAt} />.
      </p>
    </div>
  );
}

/** Other devices cannot reach a hub at an address of this device. */
const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
