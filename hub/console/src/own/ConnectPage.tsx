// "Connect your client": the address of the gateway, and the configuration for well-known clients.
import type { OwnAnswer, OwnServer } from '@gatewarden/shared/wire/console/mcp-own.ts';
import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { visible } from '../ui/visible.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import {
  bridgeConfig,
  claudeCommand,
  codexConfig,
  codexLogin,
  cursorLink,
  jsonConfig,
  parseServerName,
  type Target,
  vsCodeLink,
} from './snippets.ts';

const words = texts.own.connect;
const ALL = 'all';

export function ConnectPage() {
  const answer = useResource<OwnAnswer>('mcp', '/mcp/own');
  const shown = shownOf(answer);
  return (
    <Page title={words.title} lead={words.lead}>
      <Waiting answer={answer} />
      {shown === undefined ? null : <Clients own={shown} />}
    </Page>
  );
}

function Clients({ own }: { own: OwnAnswer }) {
  const [chosen, setChosen] = useState(ALL);
  const server = own.servers.find((item) => item.backend_id === chosen);
  const target =
    server === undefined
      ? { name: 'gatewarden', url: own.mcp_url }
      : { name: parseServerName(server.url), url: server.url };
  if (own.servers.length === 0) {
    return (
      <div className="gw-card">
        <Empty title={words.empty} text={words.emptyText} />
      </div>
    );
  }
  return (
    <div className="gw-stack">
      <Section title={words.address}>
        <div className="gw-form">
          <NativeSelect
            label={words.which}
            value={chosen}
            data={[
              { value: ALL, label: words.all },
              ...own.servers.map((item) => ({ value: item.backend_id, label: visible(item.name) })),
            ]}
            onChange={(event) => {
              setChosen(event.currentTarget.value);
            }}
          />
          {isSeparate(server) ? <p className="gw-flat">{words.ownAddress}</p> : null}
          <p className="gw-flat">{words.addressText}</p>
          <CopyBlock label={words.address} text={target.url} />
        </div>
      </Section>
      <Snippets target={target} />
    </div>
  );
}

const isSeparate = (server: OwnServer | undefined) => server !== undefined && !server.aggregated;

function Snippets({ target }: { target: Target }) {
  return (
    <>
      <Client title={words.cursor}>
        <Button component="a" href={cursorLink(target)} variant="default">
          {words.cursorOpen}
        </Button>
      </Client>
      <Client title={words.vsCode}>
        <Button component="a" href={vsCodeLink(target)} variant="default">
          {words.vsCodeOpen}
        </Button>
      </Client>
      <Client title={words.claude}>
        <p className="gw-flat">{words.claudeText}</p>
        <CopyBlock label={words.claude} text={claudeCommand(target)} />
      </Client>
      <Client title={words.codex}>
        <p className="gw-flat">{words.codexText}</p>
        <CopyBlock label={`${words.codex}, 1`} text={codexConfig(target)} />
        <p className="gw-flat">{words.codexLogin}</p>
        <CopyBlock label={`${words.codex}, 2`} text={codexLogin(target)} />
      </Client>
      <Client title={words.json}>
        <p className="gw-flat">{words.jsonText}</p>
        <CopyBlock label={`${words.json}, 1`} text={jsonConfig(target)} />
        <p className="gw-flat">{words.bridgeText}</p>
        <CopyBlock label={`${words.json}, 2`} text={bridgeConfig(target)} />
      </Client>
    </>
  );
}

function Client({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title}>
      <div className="gw-form gw-start">{children}</div>
    </Section>
  );
}
