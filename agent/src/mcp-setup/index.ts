// Servers of the company's gateway in a person's own MCP clients, by one click and back again. Whose clients is said by the
// person's key; what is written is the hub's offer in the client's form, and is written as that person, into their home.
import type { GatewayServer } from '@gatewarden/shared/wire/local/service.ts';
import type { OfferedMcpServer } from '@gatewarden/shared/wire/sync/mcp-offer.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Home, shortenHome } from '../discovery/homes/home-list.ts';
import type { Ask } from '../enforcement/quarantine/edit-client.ts';
import { placeOf, TRIES } from '../enforcement/quarantine/quarantine-transaction.ts';
import { PlainError } from '../runtime/errors.ts';
import type { State } from '../store/state-store.ts';
import type { Offer } from './gateway-offer.ts';
import type { SetUpRecord } from './setup-records.ts';
import { CLIENT_FORMS, fileOf } from './supported-clients.ts';

export { createOffer } from './gateway-offer.ts';

export interface AskedSetup {
  server_id: string;
  client: string;
}

export interface McpSetup {
  /** What is offered, and in which of the asker's clients it stands. */
  list(
    key: string | null,
  ): Promise<{ servers: GatewayServer[]; problem: Offer['problem']; may_set_up: boolean }>;
  /** Throws one clear line where it cannot be done; so does the next. */
  putIn(key: string | null, asked: AskedSetup): Promise<{ file: string }>;
  takeOut(key: string | null, asked: AskedSetup): Promise<{ file: string }>;
}

const RECORDS_MAX = 500;

export function createMcpSetup(parts: {
  /** As discovery calls whose home it is; null for nobody's key. */
  ownerOf: (key: string | null) => string | null;
  homes: readonly Home[];
  platform: Platform;
  state: State;
  ask: Ask;
  offer: () => Promise<Offer>;
  log: (fields: object, message: string) => void;
}): McpSetup {
  const { homes, platform, state, ask } = parts;
  const records = () => state.get('mcp_setup') ?? [];
  let last: Promise<unknown> = Promise.resolve();
  /** One child at a time, however many ask: it counts as the service's memory. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  const homeOf = (key: string | null): Home | null => {
    const owner = parts.ownerOf(key);
    return homes.find((home) => home.owner === owner) ?? null;
  };
  /** The person's own home, the client's file in it, and how the editor comes to it. */
  const placeFor = (key: string | null, client: string) => {
    const home = homeOf(key);
    if (home === null) throw new PlainError('only a person of this device may do this');
    const form = CLIENT_FORMS.find((layout) => layout.client === client);
    const file = form === undefined ? null : fileOf(form, home.path, platform);
    const place = file === null ? null : placeOf(homes, file, home.owner);
    if (form === undefined || place === null) throw new PlainError('this client is not known here');
    return { home, form, place };
  };
  const isOf =
    (owner: string, { server_id, client }: AskedSetup) =>
    (record: SetUpRecord) =>
      record.owner === owner && record.server_id === server_id && record.client === client;
  const keep = (owner: string, asked: AskedSetup, record: SetUpRecord | null) => {
    const isSame = isOf(owner, asked);
    const others = records().filter((record) => !isSame(record));
    const kept = [...others, ...(record === null ? [] : [record])].slice(-RECORDS_MAX);
    state.set('mcp_setup', kept.length === 0 ? null : kept);
  };

  /** Everything that is offered, then what was and still stands in a client of theirs. */
  const serversFor = async (home: Home | null) => {
    const { servers, problem } = await parts.offer();
    const isOffered = new Set(servers.map((server) => server.server_id));
    const former = new Map(
      records()
        .filter((record) => record.owner === home?.owner && !isOffered.has(record.server_id))
        .map((record) => [record.server_id, record.server] as const),
    );
    return { servers, former: [...former.values()], problem };
  };

  const statesIn = async (home: Home, servers: readonly OfferedMcpServer[]) => {
    const forms = CLIENT_FORMS.flatMap((form) => {
      const file = fileOf(form, home.path, platform);
      return file === null ? [] : [{ form, file }];
    });
    const place = placeOf(homes, `${home.path}/.`, home.owner);
    if (place === null) return [];
    const found = await ask({
      ...place,
      op: 'seek',
      files: forms.map(({ form: { container, sign, value }, file }) => {
        const wanted = servers.map((server) => ({ member: server.config_name, value: value(server.url) }));
        return { file, container, sign, wanted };
      }),
    });
    if (found.is === 'failed') throw new PlainError(found.reason);
    return forms.flatMap(({ form }, at) => {
      const client = found.files[at];
      return client === undefined || client.state === 'absent' ? [] : [{ form, ...client }];
    });
  };

  /** An attempt gives false where others changed the file meanwhile, and is then made again. */
  const untilDone = async (attempt: () => Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) if (await attempt()) return;
    throw new PlainError('the file changes all the time');
  };

  const offered = async (serverId: string) =>
    (await parts.offer()).servers.find((server) => server.server_id === serverId);

  return {
    async list(key) {
      const home = homeOf(key);
      const { servers, former, problem } = await serversFor(home);
      const all = [...servers, ...former];
      const clients = home === null ? [] : await inTurn(() => statesIn(home, all));
      const shown = all.map((server, at) => ({
        ...server,
        offered: at < servers.length,
        clients: clients.map(({ form, wanted }) => ({
          client: form.client,
          state: wanted[at] ?? ('unreadable' as const),
        })),
      }));
      return {
        servers: shown.filter(
          (row) => row.offered || row.clients.some(({ state }) => state === 'ours'),
        ),
        problem,
        may_set_up: home !== null,
      };
    },
    putIn: (key, asked) =>
      inTurn(async () => {
        const { home, form, place } = placeFor(key, asked.client);
        const server = await offered(asked.server_id);
        if (server === undefined) throw new PlainError('the gateway does not offer this server');
        const { container } = form;
        const value = form.value(server.url);
        const member = server.config_name;
        const shown = { file: shortenHome(place.file, homes) };
        await untilDone(async () => {
          const plan = await ask({ ...place, op: 'plan_in', container, member, value });
          if (plan.is === 'failed') throw new PlainError(plan.reason);
          if (plan.is === 'there') return true;
          const { from, to, splice } = plan;
          // Known before it is done: whatever ends us in between, it can be taken out again.
          const put = { after: to, splice, created: from === null };
          const { owner } = home;
          keep(owner, asked, { ...asked, owner, server, put });
          const done = await ask({ ...place, op: 'swap', from, to, splice });
          if (done.is === 'written') {
            parts.log({ client: asked.client, server: member }, 'an MCP server was set up');
            return true;
          }
          keep(owner, asked, null);
          if (done.is === 'failed') throw new PlainError(done.reason);
          return false;
        });
        return shown;
      }),
    takeOut: (key, asked) =>
      inTurn(async () => {
        const { home, form, place } = placeFor(key, asked.client);
        const record = records().find(isOf(home.owner, asked));
        const server = record?.server ?? (await offered(asked.server_id));
        if (server === undefined) throw new PlainError('this server is not known here');
        const { container } = form;
        const member = server.config_name;
        const entry = { container, member, value: form.value(server.url) };
        const shown = { file: shortenHome(place.file, homes) };
        await untilDone(async () => {
          const plan = await ask({ ...place, op: 'plan_out', ...entry, put: record?.put ?? null });
          if (plan.is === 'failed') throw new PlainError(plan.reason);
          const done =
            plan.is === 'none'
              ? { is: 'written' as const }
              : await ask({ ...place, ...plan, op: 'swap' });
          if (done.is === 'written') {
            keep(home.owner, asked, null);
            parts.log({ client: asked.client, server: member }, 'an MCP server was taken out');
            return true;
          }
          if (done.is === 'failed') throw new PlainError(done.reason);
          return false;
        });
        return shown;
      }),
  };
}

/** Checks what came in through the socket: anybody at this device may say anything there. */
export function readAskedSetup(text: string): AskedSetup {
  let said: Partial<Record<keyof AskedSetup, unknown>> = {};
  try {
    said = JSON.parse(text) ?? {};
  } catch {
    // No JSON.
  }
  const { server_id: serverId, client } = said;
  if (typeof serverId !== 'string' || typeof client !== 'string') {
    throw new PlainError('name a server and a client');
  }
  return { server_id: serverId, client };
}
