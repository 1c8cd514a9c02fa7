// Routes of the two local sockets: `status` is open to every local user, `control` to the agent's own account and root.
import type { AgentStatus, LocalAnswers } from '@gatewarden/shared/wire/local/service.ts';
import { currentPlatform } from '../config/device-identity.ts';
import type { LiveHomes } from '../discovery/homes/live-homes.ts';
import { readMinutes } from '../enforcement/pause-rules.ts';
import { openEditClient } from '../enforcement/quarantine/edit-client.ts';
import { readAskedWhy } from '../local-api/decision-chain.ts';
import { createOwnerCheck } from '../local-api/device-owner-check.ts';
import { socketPath } from '../local-api/socket-paths.ts';
import { type LocalSocket, listenLocally } from '../local-api/socket-server.ts';
import type { UserKeys } from '../local-api/user-keys.ts';
import { createMcpSetup, createOffer, readAskedSetup } from '../mcp-setup/index.ts';
import { codeCacheOf } from '../runtime/code-cache.ts';
import { readAsked } from '../sync/access-requests.ts';
import type { Backend } from '../sync/backend.ts';
import type { SyncLoops } from '../sync/sync-loops.ts';
import { launchedBy } from '../update/launcher-environment.ts';
import type { AgentCore } from './agent-core.ts';
import type { ScanScheduler } from './scan-scheduler.ts';
import type { ServiceOptions } from './service-options.ts';

interface ApiParts {
  core: AgentCore;
  backend: Backend;
  homes: LiveHomes;
  userKeys: UserKeys;
  scans: ScanScheduler;
  sync: SyncLoops;
  updater: { look(): unknown };
  status: () => AgentStatus;
}

/** Opens both sockets; a socket that exists already is a leftover, because the caller has locked the data folder. */
export async function openLocalApi(
  options: ServiceOptions,
  parts: ApiParts,
): Promise<LocalSocket[]> {
  const { dataDir, env } = options;
  const { core, status, backend, sync } = parts;
  const fileRequest = createRequestFiling(parts);
  return [
    await listenLocally(
      () => socketPath(dataDir, 'status', env),
      'status',
      statusRoutes(options, parts, fileRequest),
    ),
    await listenLocally(() => socketPath(dataDir, 'control', env), 'control', {
      'GET /status': status,
      'GET /processes': async () => ({ processes: await core.queries.listProcesses() }),
      'GET /queue': () => core.queries.listAlerts(),
      'GET /quarantine': () => core.queries.listQuarantine(),
      'POST /why': (key, body) => core.queries.why(key, readAskedWhy(body), 'all'),
      'POST /request': (_key, body) => fileRequest(body),
      'POST /flush': () => {
        backend.client.tryNow();
        backend.alerts.flush();
        sync.wake();
      },
      'POST /scan': parts.scans.wake,
      'POST /update': parts.updater.look,
      'POST /off': () => core.turnOff(),
      'POST /on': () => core.turnOn(),
      'POST /stop': () => {
        // The answer is written first: the stop closes this socket.
        setImmediate(options.requestStop);
        const launcher = launchedBy(env) === null ? [] : [process.ppid];
        return { pids: [process.pid, ...launcher] };
      },
    }),
  ];
}

function statusRoutes(
  { config, dataDir, log }: ServiceOptions,
  { core, backend, homes, userKeys, status }: ApiParts,
  fileRequest: ReturnType<typeof createRequestFiling>,
): LocalAnswers {
  const { queries } = core;
  const mcpSetup = createMcpSetup({
    ownerOf: queries.ownerOf,
    ...{ homes: homes.list, platform: currentPlatform(), state: backend.state },
    edit: openEditClient(codeCacheOf(dataDir)),
    offer: createOffer(backend.client, Date.now),
    log: (fields, message) => log.info(fields, message),
  });
  const requireOwner = createOwnerCheck({
    people: userKeys,
    homes: () => homes.list,
    owner: config.backend.owner,
    serviceUid: process.getuid?.() ?? null,
  });
  return {
    'GET /status': status,
    'GET /processes': async (key) => ({ processes: await queries.listOwnProcesses(key) }),
    'GET /notices': queries.listNotices,
    'GET /decisions': queries.listDecisions,
    'GET /mcp-servers': queries.listServers,
    'GET /gateway': mcpSetup.list,
    'POST /gateway/put-in': (key, body) => mcpSetup.putIn(key, readAskedSetup(body)),
    'POST /gateway/take-out': (key, body) => mcpSetup.takeOut(key, readAskedSetup(body)),
    'GET /seen': queries.listSeen,
    'POST /why': (key, body) => queries.why(key, readAskedWhy(body), 'own'),
    'POST /request': (key, body) => {
      requireOwner(key);
      return fileRequest(body);
    },
    'POST /pause': (key, body) => core.pause(key, readMinutes(body)),
    'POST /resume': core.resume,
  };
}

/** Returns a function that files an access request, and returns whether its subject is known on this device. */
function createRequestFiling({ core, backend }: ApiParts) {
  return async (body: string) => {
    const asked = readAsked(body);
    const isKnown = asked.process_name === null || (await core.queries.isKnown(asked.process_name));
    return { ...backend.accessRequests.ask(asked), is_known: isKnown };
  };
}
