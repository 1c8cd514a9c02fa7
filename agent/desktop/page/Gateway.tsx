// Servers of the company's MCP gateway: a click sets a server up in the user's clients, another click removes it. The
// service does the work, because it knows the owners of the clients.
import type { LocalAnswer } from '@gatewarden/shared/wire/local/service.ts';
import { WHOLE_GATEWAY } from '@gatewarden/shared/wire/sync/limits.ts';
import { useState } from 'react';
import type { HubResponse } from '../src/contract.ts';
import { texts } from '../texts.ts';
import { Answer, Name, Problem } from './parts.tsx';
import { useService } from './service.ts';

const t = texts.gateway;

type Offered = LocalAnswer<'gateway'>;
type Server = Offered['servers'][number];
type Client = Server['clients'][number];
type Act = (call: 'putIn' | 'takeOut', server: Server, client: string) => Promise<void>;

export function Gateway() {
  const [answer, askAgain] = useService('gateway', true);
  const [announcement, setAnnouncement] = useState('');
  const [problem, setProblem] = useState<Extract<HubResponse<unknown>, { ok: false }> | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const act: Act = async (call, server, client) => {
    setIsBusy(true);
    const done = await window.gatewarden.ask(call, { server_id: server.server_id, client });
    setIsBusy(false);
    setProblem(done.ok ? null : done);
    const words = call === 'putIn' ? t.added : t.removed;
    setAnnouncement(done.ok ? words(nameOf(server), done.value.file) : '');
    askAgain();
  };
  if (answer?.ok && isNothing(answer.value)) return null;
  return (
    <section data-testid="gateway" aria-busy={isBusy}>
      <h2>{t.title}</h2>
      <p role="status" className="announcement">
        {announcement}
      </p>
      {problem === null ? null : <Problem of={problem} />}
      <Answer of={answer}>
        {({ servers, problem: why, may_set_up: mayBe }) => (
          <>
            {why === 'unreachable' ? <p className="problem">{t.unreachable}</p> : null}
            {servers.length === 0 ? null : <p className="muted">{leadFor(servers, mayBe)}</p>}
            <ul className="rows">
              {servers.map((row) => (
                <OfferedServer key={row.server_id} server={row} act={act} isBusy={isBusy} />
              ))}
            </ul>
          </>
        )}
      </Answer>
    </section>
  );
}

const isNothing = ({ servers, problem }: Offered) =>
  servers.length === 0 && problem !== 'unreachable';

function leadFor(servers: readonly Server[], mayBe: boolean): string {
  if (!mayBe) return t.byHand;
  return servers.some((server) => server.clients.length > 0) ? t.lead : t.noClients;
}

const nameOf = ({ server_id: id, name }: Server) => (id === WHOLE_GATEWAY ? t.whole : name);

function OfferedServer({ server, act, isBusy }: { server: Server; act: Act; isBusy: boolean }) {
  return (
    <li data-testid="offered">
      <div className="row-head">
        <Name>{nameOf(server)}</Name>
        {server.offered ? null : <span className="badge">{t.former}</span>}
      </div>
      <p className="muted">
        {t.address}: <code className="address">{server.url}</code>
      </p>
      <div className="row-buttons">
        {server.clients.map((client) => (
          <ClientButton key={client.client} {...{ server, act, isBusy }} of={client} />
        ))}
      </div>
    </li>
  );
}

function ClientButton({
  server,
  of: { client, state },
  act,
  isBusy,
}: {
  server: Server;
  of: Client;
  act: Act;
  isBusy: boolean;
}) {
  const called = t.clients[client] ?? client;
  if (state === 'set_up' || state === 'taken' || state === 'unreadable') {
    const words = { set_up: t.setUp, taken: t.taken, unreadable: t.unreadable };
    return <span className="muted">{words[state](called)}</span>;
  }
  const isIn = state === 'ours';
  if (!isIn && !server.offered) return null;
  const [label, spoken] = isIn ? [t.takeOut, t.takeOutFor] : [t.putIn, t.putInFor];
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-label={spoken(nameOf(server), called)}
      onClick={() => void act(isIn ? 'takeOut' : 'putIn', server, client)}
    >
      {label(called)}
    </button>
  );
}
