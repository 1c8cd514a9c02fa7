// Purpose: sets up servers of the company's MCP gateway in a user's MCP clients, and removes them again.
// Main types: `McpSetup`, `AskedSetup` (request), `SetUpRecord` (what was written, so that it can be removed).
// Invariants: the key of a request identifies whose clients are edited; files are edited as that user, in their home only.
// Depends on: enforcement/quarantine (editing), gateway-offer (the hub's offer), supported-clients (file layouts).
// Start reading at `createMcpSetup`.
import type { GatewayServer } from '@gatewarden/shared/wire/local/service.ts';
import type { OfferedMcpServer } from '@gatewarden/shared/wire/sync/mcp-offer.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Home, shortenHome } from '../discovery/homes/home-list.ts';
import type { EditClient } from '../enforcement/quarantine/edit-client.ts';
import type { EditTarget } from '../enforcement/quarantine/edit-protocol.ts';
import { resolveEditTarget } from '../enforcement/quarantine/edit-target.ts';
import { MAX_ATTEMPTS } from '../enforcement/quarantine/quarantine-steps.ts';
import { PlainError } from '../runtime/errors.ts';
import type { State } from '../store/state-store.ts';
import type { Offer } from './gateway-offer.ts';
import type { SetUpRecord } from './setup-records.ts';
import { CLIENT_LAYOUTS, type ClientLayout, fileOf } from './supported-clients.ts';

export { createOffer } from './gateway-offer.ts';

export interface AskedSetup {
  server_id: string;
  client: string;
}

export interface McpSetup {
  /** Returns the offered servers, and in which of the user's clients each is set up. */
  list(
    key: string | null,
  ): Promise<{ servers: GatewayServer[]; problem: Offer['problem']; may_set_up: boolean }>;
  /** Both throw a `PlainError` where the file cannot be edited. */
  putIn(key: string | null, asked: AskedSetup): Promise<{ file: string }>;
  takeOut(key: string | null, asked: AskedSetup): Promise<{ file: string }>;
}

const RECORDS_MAX = 500;

/** Dependencies of the setup. */
interface SetupParts {
  /** Returns the owner of a key as discovery names home owners; null for an unknown key. */
  ownerOf: (key: string | null) => string | null;
  homes: readonly Home[];
  platform: Platform;
  state: State;
  edit: EditClient;
  offer: () => Promise<Offer>;
  log: (fields: object, message: string) => void;
}

/** A client's file in a user's home, and how it is edited. */
interface ClientTarget {
  home: Home;
  layout: ClientLayout;
  target: EditTarget;
}

/** Creates the setup; nothing is read before the first call. */
export function createMcpSetup(parts: SetupParts): McpSetup {
  const { homes } = parts;
  let last: Promise<unknown> = Promise.resolve();
  /** Runs a single editor process at a time, because its memory counts as the service's. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const records = createSetupRecords(parts.state);
  const findOffered = async (serverId: string) =>
    (await parts.offer()).servers.find((server) => server.server_id === serverId);

  return {
    list: (key) => listServers(parts, records, findHome(parts, key), inTurn),
    putIn: (key, asked) =>
      inTurn(async () => {
        const client = resolveClient(parts, key, asked.client);
        const server = await findOffered(asked.server_id);
        if (server === undefined) throw new PlainError('the gateway does not offer this server');
        await retryWhileChanged(() => putIn(parts, records, { client, asked, server }));
        return { file: shortenHome(client.target.file, homes) };
      }),
    takeOut: (key, asked) =>
      inTurn(async () => {
        const client = resolveClient(parts, key, asked.client);
        const record = records.find(client.home.owner, asked);
        const server = record?.server ?? (await findOffered(asked.server_id));
        if (server === undefined) throw new PlainError('this server is not known here');
        await retryWhileChanged(() => takeOut(parts, records, { client, asked, server, record }));
        return { file: shortenHome(client.target.file, homes) };
      }),
  };
}

type SetupRecords = ReturnType<typeof createSetupRecords>;

function createSetupRecords(state: State) {
  const all = () => state.get('mcp_setup') ?? [];
  const isOf =
    (owner: string, { server_id, client }: AskedSetup) =>
    (record: SetUpRecord) =>
      record.owner === owner && record.server_id === server_id && record.client === client;
  return {
    all,
    find: (owner: string, asked: AskedSetup) => all().find(isOf(owner, asked)),
    /** Replaces the record of a client and server; null removes it. */
    replace(owner: string, asked: AskedSetup, record: SetUpRecord | null) {
      const isSame = isOf(owner, asked);
      const others = all().filter((other) => !isSame(other));
      const kept = [...others, ...(record === null ? [] : [record])].slice(-RECORDS_MAX);
      state.set('mcp_setup', kept.length === 0 ? null : kept);
    },
  };
}

function findHome({ homes, ownerOf }: SetupParts, key: string | null): Home | null {
  const owner = ownerOf(key);
  return homes.find((home) => home.owner === owner) ?? null;
}

function resolveClient(parts: SetupParts, key: string | null, client: string): ClientTarget {
  const home = findHome(parts, key);
  if (home === null) throw new PlainError('only a person of this device may do this');
  const layout = CLIENT_LAYOUTS.find((candidate) => candidate.client === client);
  const file = layout === undefined ? null : fileOf(layout, home.path, parts.platform);
  const target = file === null ? null : resolveEditTarget(parts.homes, file, home.owner);
  if (layout === undefined || target === null) {
    throw new PlainError('this client is not known here');
  }
  return { home, layout, target };
}

async function listServers(
  parts: SetupParts,
  records: SetupRecords,
  home: Home | null,
  inTurn: <T>(work: () => Promise<T>) => Promise<T>,
): ReturnType<McpSetup['list']> {
  const { servers, problem } = await parts.offer();
  const isOffered = new Set(servers.map((server) => server.server_id));
  // Servers that are not offered any more are listed while they are set up in a client.
  const withdrawn = new Map(
    records
      .all()
      .filter((record) => record.owner === home?.owner && !isOffered.has(record.server_id))
      .map((record) => [record.server_id, record.server] as const),
  );
  const all = [...servers, ...withdrawn.values()];
  const clients = home === null ? [] : await inTurn(() => readStates(parts, home, all));
  const rows = all.map((server, at) => ({
    ...server,
    offered: at < servers.length,
    clients: clients.map(({ layout, wanted }) => ({
      client: layout.client,
      state: wanted[at] ?? ('unreadable' as const),
    })),
  }));
  const isShown = (row: (typeof rows)[number]) =>
    row.offered || row.clients.some(({ state }) => state === 'ours');
  return { servers: rows.filter(isShown), problem, may_set_up: home !== null };
}

/** Reads which of the servers are set up in each client of a home; absent clients are left out. */
async function readStates(
  { homes, platform, edit }: SetupParts,
  home: Home,
  servers: readonly OfferedMcpServer[],
) {
  const files = CLIENT_LAYOUTS.flatMap((layout) => {
    const file = fileOf(layout, home.path, platform);
    return file === null ? [] : [{ layout, file }];
  });
  const target = resolveEditTarget(homes, `${home.path}/.`, home.owner);
  if (target === null) return [];
  const answer = await edit({
    ...target,
    op: 'seek',
    files: files.map(({ layout: { container, sign, value }, file }) => {
      const wanted = servers.map(({ config_name, url }) => ({
        member: config_name,
        value: value(url),
      }));
      return { file, container, sign, wanted };
    }),
  });
  if (answer.is === 'failed') throw new PlainError(answer.reason);
  return files.flatMap(({ layout }, at) => {
    const client = answer.files[at];
    return client === undefined || client.state === 'absent' ? [] : [{ layout, ...client }];
  });
}

/** Repeats an attempt while it returns false, because another program changed the file meanwhile. */
async function retryWhileChanged(attempt: () => Promise<boolean>): Promise<void> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) if (await attempt()) return;
  throw new PlainError('the file changes all the time');
}

interface SetupChange {
  client: ClientTarget;
  asked: AskedSetup;
  server: OfferedMcpServer;
}

async function putIn(
  { edit, log }: SetupParts,
  records: SetupRecords,
  { client: { home, layout, target }, asked, server }: SetupChange,
): Promise<boolean> {
  const { container } = layout;
  const member = server.config_name;
  const value = layout.value(server.url);
  const plan = await edit({ ...target, op: 'plan_in', container, member, value });
  if (plan.is === 'failed') throw new PlainError(plan.reason);
  if (plan.is === 'there') return true;
  const { from, to, splice } = plan;
  // The record precedes the change: after a crash in between the entry can be removed again.
  const put = { after: to, splice, created: from === null };
  const { owner } = home;
  records.replace(owner, asked, { ...asked, owner, server, put });
  const swap = await edit({ ...target, op: 'swap', from, to, splice });
  if (swap.is === 'written') {
    log({ client: asked.client, server: member }, 'an MCP server was set up');
    return true;
  }
  records.replace(owner, asked, null);
  if (swap.is === 'failed') throw new PlainError(swap.reason);
  return false;
}

async function takeOut(
  { edit, log }: SetupParts,
  records: SetupRecords,
  change: SetupChange & { record: SetUpRecord | undefined },
): Promise<boolean> {
  const { client, asked, server, record } = change;
  const { home, layout, target } = client;
  const member = server.config_name;
  const entry = { container: layout.container, member, value: layout.value(server.url) };
  const plan = await edit({ ...target, op: 'plan_out', ...entry, put: record?.put ?? null });
  if (plan.is === 'failed') throw new PlainError(plan.reason);
  const swap =
    plan.is === 'none'
      ? { is: 'written' as const }
      : await edit({ ...target, ...plan, op: 'swap' });
  if (swap.is === 'failed') throw new PlainError(swap.reason);
  if (swap.is !== 'written') return false;
  records.replace(home.owner, asked, null);
  log({ client: asked.client, server: member }, 'an MCP server was taken out');
  return true;
}

/** Parses the body of a request; throws a `PlainError` where it names no server and client. */
export function readAskedSetup(text: string): AskedSetup {
  let fields: Partial<Record<keyof AskedSetup, unknown>> = {};
  try {
    fields = JSON.parse(text) ?? {};
  } catch {
    // Invalid JSON names nothing.
  }
  const { server_id: serverId, client } = fields;
  if (typeof serverId !== 'string' || typeof client !== 'string') {
    throw new PlainError('name a server and a client');
  }
  return { server_id: serverId, client };
}
