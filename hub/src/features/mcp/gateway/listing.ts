// How a server is asked for one of its lists.
import type { ToolPins } from '../pins/index.ts';
import type { Guard } from './guard.ts';
import { guarded } from './guarded.ts';
import { type ListAsk, listNow } from './lists.ts';
import { RpcError } from './messages.ts';
import type { Backend, Owner } from './targets.ts';
import type { Upstreams } from './upstream.ts';

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

/** The tools of one backend as it names them itself, as they are now. Throws RpcError where it gives no list. */
export function toolsOf(
  scene: Omit<Listing, 'pins'> & { owner: Owner },
  backend: Backend,
  signal: AbortSignal,
): Promise<unknown[]> {
  return listNow(listAsk(scene, backend, 'tools/list'), scene.owner, signal);
}
