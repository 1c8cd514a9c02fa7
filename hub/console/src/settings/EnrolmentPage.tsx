// Tokens that installers carry, and the commands that install the agent with them.
import type { AgentTokenRow } from '@gatewarden/shared/wire/console/agent-tokens.ts';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTenant } from '../api/tenant.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { Section } from '../ui/Page.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { IssuedTokens, type TokenKind } from './IssuedTokens.tsx';
import { INSTALLERS } from './install-commands.ts';
import { settingsTexts } from './texts.ts';
import '../decisions/decisions.css';

const words = settingsTexts.enrolment;
const AGENT_TOKENS: TokenKind<AgentTokenRow> = {
  topic: 'agent-tokens',
  path: '/agent-tokens',
  rowTestId: 'agent-token-row',
  days: 30,
  words,
  columns: [
    {
      key: 'kind',
      header: words.kind,
      render: (row) => (row.enrol_only ? words.enrolOnly : words.anything),
    },
  ],
};

/** In the commands until the administrator names the owner. */
const OWNER_PLACEHOLDER = 'OWNER@EXAMPLE.COM';

export function EnrolmentPage() {
  return (
    <AdminsOnly title={words.title} lead={words.lead}>
      <div className="gw-stack">
        <IssuedTokens kind={AGENT_TOKENS} title={words.tokens} />
        <Commands />
      </div>
    </AdminsOnly>
  );
}

/** Other devices cannot reach a hub at an address of this device. */
const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');

function Commands() {
  const { tenantId } = useTenant();
  const [subscriberId, setSubscriberId] = useState('');
  // The console is served under the hub's canonical origin.
  const { origin, hostname } = window.location;
  const isNamed = subscriberId.trim() !== '';
  const machine = {
    ...{ baseUrl: origin, tenantId },
    subscriberId: isNamed ? subscriberId.trim() : OWNER_PLACEHOLDER,
  };
  return (
    <Section title={words.install}>
      <p className="gw-flat">{words.installLead}</p>
      <TextInput
        label={words.person}
        description={words.personHint}
        maxLength={128}
        placeholder="ada@example.com"
        value={subscriberId}
        onChange={(event) => setSubscriberId(event.currentTarget.value)}
      />
      {isNamed ? null : <p className="gw-flat gw-dimmed">{words.placeholder(OWNER_PLACEHOLDER)}</p>}
      {isLoopback(hostname) ? (
        <p className="gw-notice" role="note">
          {words.loopback(origin)}
        </p>
      ) : null}
      {INSTALLERS.map(({ key, name, tried, settingsFile, command }) => (
        <section key={key} aria-label={name} data-testid="installer">
          <h3>{name}</h3>
          {tried === 'tried' ? null : <p className="gw-flat gw-dimmed">{words.limits[tried]}</p>}
          <CopyBlock label={name} text={command(machine)} />
          <p className="gw-flat gw-dimmed gw-small">{words.managed(settingsFile)}</p>
        </section>
      ))}
    </Section>
  );
}
