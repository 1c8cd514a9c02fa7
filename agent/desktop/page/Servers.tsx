// The MCP servers of this device, the company's policy for each, and requests for restricted servers.
import type { OwnServer } from '@gatewarden/shared/wire/local/service.ts';
import { useState } from 'react';
import { texts } from '../texts.ts';
import { AskButton, type Subject } from './AskDialog.tsx';
import { Gateway } from './Gateway.tsx';
import { Answer, Contact, Name } from './parts.tsx';
import { Search, shownOf } from './Search.tsx';
import { useService } from './service.ts';
import { type AskWhy, WhyButton } from './WhyDialog.tsx';

const t = texts.servers;

export function Servers({
  ask,
  contact,
  why,
}: {
  ask: (subject: Subject) => void;
  contact: string | null;
  why: AskWhy;
}) {
  const [answer] = useService('servers');
  const [wanted, setWanted] = useState('');
  return (
    <>
      <Gateway />
      <h2>{texts.gateway.own}</h2>
      <p className="muted">{t.lead}</p>
      <Contact who={contact} />
      <Answer of={answer}>
        {({ servers }) => {
          if (servers.length === 0) return <p>{t.none}</p>;
          const { shown, count } = shownOf(servers, wanted, (server) => [
            server.name,
            ...server.clients,
          ]);
          return (
            <>
              <Search label={t.search} {...{ wanted, setWanted, count, shown: shown.length }} />
              <ul className="rows">
                {shown.map((row) => (
                  <Server key={row.entity_id} server={row} ask={ask} why={why} />
                ))}
              </ul>
            </>
          );
        }}
      </Answer>
    </>
  );
}

function Server({
  server,
  ask,
  why,
}: {
  server: OwnServer;
  ask: (subject: Subject) => void;
  why: AskWhy;
}) {
  const { name, version, clients, decision, override, entity_id: entityId } = server;
  const status = override?.approval_status ?? null;
  const isRestricted = decision !== 'allow' && decision !== 'monitor';
  const place = clients.length === 0 ? [] : [t.clients(clients)];
  return (
    <li data-testid="server">
      <div className="row-head">
        <Name>{name}</Name>
        <span className="badge" data-kind={status ?? undefined}>
          {status === null ? t.undecided : t.statuses[status]}
        </span>
      </div>
      {server.taken_out ? <p className="problem">{t.takenOut}</p> : null}
      <p className="muted">
        <Name>{[...(version === null ? [] : [version]), ...place].join(' \u00b7 ')}</Name>
        {place.length + (version === null ? 0 : 1) === 0 ? null : ' \u00b7 '}
        {texts.decisions.policies[decision]}
      </p>
      <div className="row-buttons">
        <WhyButton asked={{ name, about: entityId }} why={why} />
        {isRestricted ? <AskButton subject={{ name, entityId }} ask={ask} /> : null}
      </div>
    </li>
  );
}
