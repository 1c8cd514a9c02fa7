// How a server is asked for one of its lists.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { ToolPins } from '../pins/index.ts';
import type { Guard } from './guard.ts';
import { guarded } from './guarded.ts';
import { INSTRUCTIONS, type ListAsk, listNow } from './list-pages.ts';
import { RpcError } from './messages.ts';
import type { Backend, Owner } from './targets.ts';
import type { Upstreams } from './upstreams.ts';

interface Listing {
  guard: Guard;
  /** As lists that are a person's own are told apart. */
  whose: string;
  upstreams: Upstreams;
  owner: Pick<Owner, 'capabilities'>;
  /** Told what differs from what was approved. */
  pins?: ToolPins;
}

/** How a list of this server is asked for. */
export function listAsk(scene: Listing, target: Backend, method: string): ListAsk {
  const { whose, upstreams, guard, pins } = scene;
  return {
    target,
    method,
    whose,
    async came(items) {
      if (method === 'tools/list') await pins?.note(target, items);
    },
    capabilities: scene.owner.capabilities,
    async ask(owner: Owner, params: Record<string, unknown>, signal: AbortSignal) {
      const request = { id: 'list', method, params };
      const messages = guarded({ guard, person: `lists ${whose}`, signal }, target, () =>
        upstreams.call(target, owner, request, signal),
      );
      for await (const one of messages) {
        if (one.method !== undefined) continue;
        if (one.error !== undefined) throw new RpcError(one.error.code, one.error.message);
        return one.result ?? {};
      }
      return {};
    },
  };
}

/** How a server is asked for its instructions. */
export function instructionsAsk(scene: Listing, target: Backend): ListAsk {
  const { whose, upstreams, guard, pins } = scene;
  return {
    target,
    method: INSTRUCTIONS,
    whose,
    capabilities: {},
    async came(items) {
      await pins?.noteInstructions(target, textIn(items));
    },
    async ask(owner, _params, signal) {
      const messages = guarded(
        { guard, person: `lists ${whose}`, signal },
        target,
        async function* () {
          const text = await upstreams.instructionsOf(target, owner, signal);
          const instructions = text === null ? [] : [{ text }];
          yield { jsonrpc: '2.0', id: 'list', result: { instructions } };
        },
      );
      for await (const { result } of messages) return result ?? {};
      return {};
    },
  };
}

export function textIn([first]: readonly unknown[]): string | null {
  return isObject(first) && typeof first.text === 'string' ? first.text : null;
}

/** The instructions of one backend as they are now; null if it gives none. Throws RpcError. */
export async function instructionsNow(
  scene: Omit<Listing, 'pins'> & { owner: Owner },
  backend: Backend,
  signal: AbortSignal,
): Promise<string | null> {
  return textIn(await listNow(instructionsAsk(scene, backend), scene.owner, signal));
}

/** The tools of one backend as it names them itself, as they are now. Throws RpcError where it gives no list. */
export function toolsOf(
  scene: Omit<Listing, 'pins'> & { owner: Owner },
  backend: Backend,
  signal: AbortSignal,
): Promise<unknown[]> {
  return listNow(listAsk(scene, backend, 'tools/list'), scene.owner, signal);
}
