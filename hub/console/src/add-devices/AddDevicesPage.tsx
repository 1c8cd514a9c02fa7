// Adds devices: a command or a file for device management with a new token in it, the devices that connect, and all tokens.
import type { AgentTokenRow } from '@gatewarden/shared/wire/console/agent-tokens.ts';
import { useState } from 'react';
import { AdminsOnly } from '../settings/AdminsOnly.tsx';
import { IssuedTokens, type TokenKind } from '../settings/IssuedTokens.tsx';
import { ConnectedDevices } from './ConnectedDevices.tsx';
import { InstallAgent } from './InstallAgent.tsx';
import { addTexts as t } from './texts.ts';
import type { EnrollmentToken } from './use-enrollment-token.ts';
import '../policies/policies.css';

const AGENT_TOKENS: TokenKind<AgentTokenRow> = {
  topic: 'agent-tokens',
  path: '/agent-tokens',
  rowTestId: 'agent-token-row',
  days: 30,
  words: t,
  columns: [
    {
      key: 'kind',
      header: t.kind,
      render: (row) => (row.enrol_only ? t.enrolOnly : t.anything),
    },
  ],
};

export function AddDevicesPage() {
  return (
    <AdminsOnly title={t.title} lead={t.lead}>
      <AddDevices />
    </AdminsOnly>
  );
}

function AddDevices() {
  const [token, setToken] = useState<EnrollmentToken | null>(null);
  return (
    <div className="gw-stack">
      <InstallAgent token={token} onToken={setToken} />
      {token === null ? null : <ConnectedDevices since={token.createdAt} />}
      <IssuedTokens kind={AGENT_TOKENS} title={t.tokens} />
    </div>
  );
}
