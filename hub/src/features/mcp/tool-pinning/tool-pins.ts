// Pins of tool definitions, which a model reads before it acts. A tool that changes after its approval, or is new, is flagged, and
// hidden if the backend requires it, until a review.
import { createHash } from 'node:crypto';
import { BackendParams } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import {
  ListedTools,
  type PinnedTool,
  PinnedTools,
  PinToolsQuery,
} from '@gatewarden/shared/wire/console/mcp-tool-pins.ts';
import canonicalize from 'canonicalize';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { sanitizeText } from '../../../platform/db/text-sanitizing.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { hasLosslessNumbers } from '../../../platform/http/json/lossless-numbers.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { backendWith } from '../backends/index.ts';
import {
  type Definition,
  type Pin,
  type PinKind,
  type Place,
  replacePins,
  selectPins,
  storeSeen,
} from './store.ts';
import { digestOfList, exposedNameOf, isTaskOnly, listedTools } from './tool-definitions.ts';

const CACHE = 'mcp-tool-pins';
const keyOf = ({ tenantId, backendId }: Place) => `${tenantId}/${backendId}`;

/** A backend. If it is not shared, each user may receive a different list. */
export type PinnedPlace = Place & { drift: 'flag' | 'hide'; isShared: boolean };

/** State of a tool by its last seen definition. */
export interface KnownTool {
  /** True: the definition equals its pin. */
  isApproved: boolean;
  isTaskOnly: boolean;
}

export interface ToolPins {
  /** Records tools that differ from their pins. */
  recordTools(place: PinnedPlace, tools: readonly unknown[]): Promise<void>;
  /** Records instructions that differ from their pin. */
  recordInstructions(place: PinnedPlace, text: string | null): Promise<void>;
  /** Returns whether clients may see the instructions. */
  mayShowInstructions(place: PinnedPlace, text: string): Promise<boolean>;
  /** Returns the tools that clients may see. */
  filterShown(place: PinnedPlace, tools: readonly unknown[]): Promise<unknown[]>;
  /**
   * Returns whether a call is allowed by the caller's last list; null, or a tool that is not in it: by the last seen definition.
   */
  mayCall(place: PinnedPlace, tool: string, listed: readonly unknown[] | null): Promise<boolean>;
  /** Returns the known tools with their state. Empty without any approval. */
  knownTools(place: Place): Promise<Map<string, KnownTool>>;
  /** Returns the review state of the tool by its last seen definition; null: the server has no pins. */
  reviewOf(place: Place, tool: string): Promise<PinnedTool['state'] | null>;
  /** In this process at once. */
  invalidate(place: Place): void;
}

export function createToolPins(db: Db, notifications: Notifications): ToolPins {
  const cache = createNotifiedCache<Pins>({ name: CACHE, max: 10_000, notifications });
  const allPinsOf = (place: Place) =>
    cache.get(keyOf(place), async () => {
      const pins = await selectPins(db, place);
      return {
        tools: new Map(pins.filter(({ kind }) => kind === 'tool').map((pin) => [pin.tool, pin])),
        instructions: pins.find(({ kind }) => kind === 'instructions') ?? null,
      };
    });
  const pinsOf = async (place: Place) => (await allPinsOf(place)).tools;
  const store = async (...stored: StoredDifferences) => {
    await storeDifferences(db, ...stored);
    cache.invalidate(keyOf(stored[0]));
  };
  return {
    async recordInstructions(place, text) {
      const { tools, instructions: pin } = await allPinsOf(place);
      const [now] = instructionDefinition(text);
      if (tools.size === 0 || now === undefined) return;
      if (!matchesDigest(pin?.pinned_digest, now)) {
        if (!matchesDigest(pin?.seen_digest, now)) await store(place, 'instructions', [now], []);
      } else if (place.isShared && pin?.seen_digest != null) {
        await store(place, 'instructions', [], [now.tool]);
      }
    },
    async mayShowInstructions(place, text) {
      if (place.drift !== 'hide') return true;
      const { tools, instructions: pin } = await allPinsOf(place);
      const [now] = instructionDefinition(text);
      return tools.size === 0 || (now !== undefined && matchesDigest(pin?.pinned_digest, now));
    },
    async recordTools(place, tools) {
      const pins = await pinsOf(place);
      // Without pins there is nothing to compare with.
      if (pins.size === 0) return;
      const { fresh, same } = diffAgainstPins(definitionsOf(tools), pins, place.isShared);
      if (fresh.length === 0 && same.length === 0) return;
      await store(place, 'tool', fresh, same);
    },
    async filterShown(place, tools) {
      const pins = place.drift === 'hide' ? await pinsOf(place) : null;
      if (pins === null || pins.size === 0) return [...tools];
      const approved = definitionsOf(tools).filter((item) =>
        matchesDigest(pins.get(item.tool)?.pinned_digest, item),
      );
      const names = new Set(approved.map((item) => item.tool));
      return tools.filter((tool) => names.has(nameOf(tool)));
    },
    async mayCall(place, tool, listed) {
      if (place.drift !== 'hide') return true;
      const pins = await pinsOf(place);
      if (pins.size === 0) return true;
      const pin = pins.get(nameOf({ name: tool }));
      if (pin === undefined || pin.pinned_digest === null) return false;
      const [own] = definitionsOf((listed ?? []).filter((item) => isNamed(item, tool)));
      if (own !== undefined && !matchesDigest(pin.pinned_digest, own)) return false;
      return (own !== undefined && !place.isShared) || pin.seen_digest === null;
    },
    async knownTools(place) {
      const pins = await pinsOf(place);
      return new Map(
        [...pins].map(([tool, pin]) => [
          tool,
          {
            isApproved: pin.pinned_digest !== null && pin.seen_digest === null,
            isTaskOnly: isTaskOnly(pin.seen ?? pin.pinned ?? {}),
          },
        ]),
      );
    },
    async reviewOf(place, tool) {
      const pins = await pinsOf(place);
      if (pins.size === 0) return null;
      const pin = pins.get(nameOf({ name: tool }));
      return pin === undefined ? 'new' : stateOf(pin);
    },
    invalidate: (place) => cache.invalidate(keyOf(place)),
  };
}

/**
 * Returns the definitions that differ from the approved and the stored ones, and the names of tools that equal their approval
 * again. An equal definition for a user is inconclusive for other users.
 */
function diffAgainstPins(
  definitions: readonly Definition[],
  pins: Pins['tools'],
  isShared: boolean,
): { fresh: Definition[]; same: string[] } {
  const differing = definitions.filter(
    (item) => !matchesDigest(pins.get(item.tool)?.pinned_digest, item),
  );
  const names = new Set(differing.map((item) => item.tool));
  const equal = isShared ? definitions.filter((item) => !names.has(item.tool)) : [];
  return {
    fresh: differing.filter((item) => !matchesDigest(pins.get(item.tool)?.seen_digest, item)),
    same: equal.filter((item) => pins.get(item.tool)?.seen_digest != null).map((item) => item.tool),
  };
}

type StoredDifferences = [
  place: Place,
  kind: PinKind,
  fresh: readonly Definition[],
  same: readonly string[],
];

async function storeDifferences(db: Db, ...stored: StoredDifferences): Promise<void> {
  const [place] = stored;
  await transact(db, async (tx) => {
    await storeSeen(tx, ...stored);
    await invalidateEverywhere(tx, place);
  });
}

interface Pins {
  tools: Map<string, Pin>;
  instructions: Pin | null;
}

async function invalidateEverywhere(tx: Tx, place: Place): Promise<void> {
  await notify(tx, { kind: 'forget', cache: CACHE, keys: [keyOf(place)] });
  await notify(tx, { kind: 'page', tenant: place.tenantId, topic: 'mcp' });
}

const matchesDigest = (digest: Buffer | null | undefined, definition: Definition) =>
  digest?.equals(definition.digest) === true;

const isNamed = (tool: unknown, name: string) => (tool as { name?: unknown } | null)?.name === name;

/** Returns the name as PostgreSQL stores it. */
function nameOf(tool: unknown): string {
  const name = String((tool as { name?: unknown } | null)?.name ?? '');
  return sanitizeText(name, JSON.stringify(name));
}

/** All members of a tool are compared, because a model follows its description. */
function definitionsOf(tools: readonly unknown[]): Definition[] {
  return sanitizeText(tools, JSON.stringify(tools))
    .filter((item): item is Record<string, unknown> => nameOf(item) !== '')
    .map((definition) => ({
      kind: 'tool',
      tool: nameOf(definition),
      definition,
      digest: digestOf(definition),
    }));
}

const INSTRUCTIONS = 'instructions';

/** None where the server gives no instructions. */
function instructionDefinition(text: string | null): Definition[] {
  if (text === null) return [];
  const definition = { instructions: sanitizeText(text, JSON.stringify(text)) };
  return [{ kind: 'instructions', tool: INSTRUCTIONS, definition, digest: digestOf(definition) }];
}

const digestOf = (definition: Record<string, unknown>) =>
  createHash('sha256')
    // Numbers beyond every double are null in canonical JSON.
    .update(canonicalize(hasLosslessNumbers(definition) ? asDoubles(definition) : definition) ?? '')
    .digest();

const asDoubles = (definition: unknown) => JSON.parse(JSON.stringify(definition)) as unknown;

const CHANGED_MEANWHILE = "The server's tools changed since you reviewed them. Review them again.";

const NOTHING_LISTED = 'The server has no tools, so there is nothing to approve.';

export interface PinDeps {
  db: Db;
  pins: ToolPins;
  /** Asks the server itself. Throws where it gives no list. */
  askServer(
    caller: { tenantId: string; userId: string | null },
    backendId: string,
  ): Promise<{ tools: unknown[]; instructions: string | null }>;
}

export function registerToolPins(app: App, deps: PinDeps): void {
  const { db } = deps;
  registerToolApproval(app, deps);
  app.get(
    '/mcp/backends/:backend_id/tools',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List the approved tools and their differences',
        params: BackendParams,
        response: { 200: PinnedTools },
      },
    },
    async (request) => {
      const place = await resolvePlace(db, personOf(request).tenantId, request.params.backend_id);
      const tools = (await selectPins(db, place)).map((pin) => toWire(place.slug, pin));
      return { tools, request_id: request.id };
    },
  );
  app.get(
    '/mcp/backends/:backend_id/tools/listed',
    {
      // Only administrators may see unapproved tools.
      config: { access: 'Admin', beyondTenant: true, alsoAnswers: ['409'] },
      schema: {
        tags: ['mcp'],
        summary: 'List the current tools of the server for review',
        params: BackendParams,
        response: { 200: ListedTools },
      },
    },
    async (request) => {
      const person = personOf(request);
      const place = await resolvePlace(db, person.tenantId, request.params.backend_id);
      const { all } = await loadDefinitions(deps, person, place.backendId);
      const tools = listedTools(place.slug, all, await selectPins(db, place));
      return { tools, digest: digestOfList(all), request_id: request.id };
    },
  );
}

/** Returns the definitions that the server lists now. Throws if the server gives no list. */
async function loadDefinitions(
  { askServer }: PinDeps,
  ...asked: Parameters<PinDeps['askServer']>
): Promise<{ tools: Definition[]; all: Definition[] }> {
  const { tools, instructions } = await askServer(...asked);
  const definitions = definitionsOf(tools);
  return { tools: definitions, all: [...instructionDefinition(instructions), ...definitions] };
}

function registerToolApproval(app: App, deps: PinDeps): void {
  const { db, pins } = deps;
  app.post(
    '/mcp/backends/:backend_id/pin-tools',
    {
      // The server is asked as a client would: that session is of no tenant.
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['mcp'],
        summary: 'Approve the current tools of the server',
        params: BackendParams,
        querystring: PinToolsQuery,
        response: { 200: PinnedTools },
      },
    },
    async (request) => {
      const person = personOf(request);
      const place = await resolvePlace(db, person.tenantId, request.params.backend_id);
      const { tools, all } = await loadDefinitions(deps, person, place.backendId);
      const { digest: seen } = request.query;
      if (seen !== undefined && seen !== digestOfList(all)) {
        throw new HubError('precondition_failed', CHANGED_MEANWHILE);
      }
      // An approval without tools would not hide later tools.
      if (tools.length === 0) throw new HubError('precondition_failed', NOTHING_LISTED);
      const pinned = await transact(db, async (tx) => {
        await replacePins(tx, place, all);
        await recordByPerson(tx, request, {
          operation: 'mcp_backend.pin_tools',
          resource: { kind: 'mcp_backend', id: place.backendId },
          detail: {
            tools: all.map(({ kind, tool, digest }) => ({
              ...(kind === 'tool' ? {} : { kind }),
              tool,
              digest: digest.toString('hex'),
            })),
          },
        });
        await invalidateEverywhere(tx, place);
        return selectPins(tx, place);
      });
      pins.invalidate(place);
      return { tools: pinned.map((pin) => toWire(place.slug, pin)), request_id: request.id };
    },
  );
}

async function resolvePlace(
  db: Db,
  tenantId: string,
  backendId: string,
): Promise<Place & { slug: string }> {
  const found = await backendWith(db, tenantId, backendId);
  if (found === null) throw new HubError('not_found');
  return { tenantId, backendId: found.backend_id, slug: found.slug };
}

function stateOf(pin: Pin): PinnedTool['state'] {
  if (pin.pinned_digest === null) return 'new';
  return pin.seen_digest === null ? 'pinned' : 'changed';
}

function toWire(slug: string, pin: Pin): PinnedTool {
  return {
    kind: pin.kind,
    name: pin.tool,
    exposed_name: exposedNameOf(slug, pin),
    state: stateOf(pin),
    pinned: pin.pinned,
    seen: pin.seen,
    seen_at: pin.seen_at?.toISOString() ?? null,
  };
}
