// Between agent and hubs: requests and answers are lost, late, doubled, out of order, or answered by somebody else.
import type {
  Exchange,
  HubRequest,
  HubResponse,
} from '@gatewarden/agent/src/sync/http-exchange.ts';
import { SYNC_PATHS } from '@gatewarden/shared/wire/sync/limits.ts';
import type { HubProcess } from './hub.ts';
import type { SeededRandom, SimulatedEnvironment } from './simulated-environment.ts';

/** The agent gives a request up after this long. */
const PATIENCE_MS = 30_000;

/** Possible fates of a request, with their weights. */
type Fate =
  | 'arrives'
  /** Neither the request nor an answer arrives. */
  | 'dropped'
  /** The hub handles the request, and the answer is lost. */
  | 'answerLost'
  /** The hub receives the request twice, the second time much later. */
  | 'doubled'
  /** The agent has given up when the hub receives the request. */
  | 'late'
  | 'refused'
  /** A hub that reports overload. */
  | 'unavailable'
  /** A captive portal. */
  | 'foreign';

export const WEATHERS: Record<string, Partial<Record<Fate, number>>> = {
  fair: { arrives: 1 },
  lossy: { arrives: 6, dropped: 1, answerLost: 2, doubled: 2, late: 1, refused: 1, foreign: 0.3 },
  forgetful: { arrives: 2, answerLost: 5, doubled: 3, late: 2 },
  overloaded: { arrives: 1, refused: 4, answerLost: 0.5 },
  stormy: { unavailable: 1 },
  dead: { dropped: 1 },
};

const REFUSALS: { status: number; code: string; after?: (dice: SeededRandom) => number }[] = [
  { status: 429, code: 'too_many_requests', after: (dice) => dice.between(1, 60) },
  { status: 503, code: 'unavailable', after: (dice) => dice.between(1, 300) },
  { status: 500, code: 'internal_error' },
  { status: 408, code: 'request_timeout' },
  { status: 401, code: 'invalid_agent_token' },
];

const refused = (status: number, code: string, retryAfter: string | undefined): HubResponse => ({
  status,
  etag: null,
  retryAfter,
  body: JSON.stringify({ error: { code, message: 'not now' }, request_id: 'r' }),
});

export interface NetworkParts {
  world: SimulatedEnvironment;
  dice: SeededRandom;
  hubs: HubProcess[];
  /** An answer reached the agent. */
  delivered(asking: HubRequest, answered: HubResponse): void;
  note(text: () => string): void;
}

export class Network {
  weather: keyof typeof WEATHERS = 'fair';
  /** A proxy takes no more entities than that in a body. */
  mostEntities = Number.POSITIVE_INFINITY;
  /** No message is delayed. */
  isQuick = false;
  /** Called with each request that an agent sends. */
  asked: (asking: HubRequest) => void = () => undefined;
  private readonly parts: NetworkParts;

  constructor(parts: NetworkParts) {
    this.parts = parts;
  }

  /** Returns an agent's exchange; an answer for a run that has ended is dropped. */
  exchange(isAlive: () => boolean): Exchange {
    return {
      ask: (asking) => this.carry(asking, isAlive),
      begin: () => Promise.reject(new Error('no file is downloaded here')),
      close: () => undefined,
    };
  }

  private carry(asking: HubRequest, isAlive: () => boolean): Promise<HubResponse> {
    const { world, dice, note } = this.parts;
    const fate = dice.weighted<Fate>(WEATHERS[this.weather] ?? {});
    const what = `${asking.method} ${asking.pathAndQuery.slice(0, 60)}`;
    this.asked(asking);
    note(() => `${what}: ${fate}`);
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (work: () => void) => {
        if (isOver || !isAlive()) return;
        isOver = true;
        giveUp();
        work();
      };
      const giveUp = world.after(PATIENCE_MS, () => end(() => reject(new Error('no answer'))));
      const deliver = (answer: HubResponse | null) => {
        world.after(this.travelMs(), () =>
          end(() => {
            if (answer === null) return reject(new Error('the connection broke'));
            this.parts.delivered(asking, answer);
            resolve(answer);
          }),
        );
      };
      const reach = (afterMs: number, heard: (answer: HubResponse | null) => void) =>
        world.after(afterMs, async () => heard(await this.ask(asking)));
      const fates: Record<Fate, () => void> = {
        arrives: () => reach(this.travelMs(), deliver),
        dropped: () => undefined,
        answerLost: () => {
          reach(this.travelMs(), () => {
            if (dice.isHit(0.7)) deliver(null);
          });
        },
        doubled: () => {
          reach(this.travelMs(), deliver);
          reach(dice.between(100, 600_000), () => undefined);
        },
        late: () => {
          reach(dice.between(PATIENCE_MS, 900_000), () => undefined);
          if (dice.isHit(0.5)) deliver(null);
        },
        refused: () => deliver(this.refusal()),
        unavailable: () => deliver(refused(503, 'unavailable', '1')),
        foreign: () =>
          deliver({ status: 200, etag: null, retryAfter: undefined, body: '<html>Sign in' }),
      };
      fates[fate]();
    });
  }

  private travelMs(): number {
    const { dice } = this.parts;
    return !this.isQuick && dice.isHit(0.15) ? dice.between(1_000, 20_000) : dice.between(1, 300);
  }

  private refusal(): HubResponse {
    const { dice } = this.parts;
    const { status, code, after } = dice.of(REFUSALS);
    return refused(status, code, after === undefined ? undefined : String(after(dice)));
  }

  /** Whichever hub the balancer takes; null where it ends before it has answered. */
  private async ask(asking: HubRequest): Promise<HubResponse | null> {
    const { hubs, dice } = this.parts;
    if (this.isTooLarge(asking)) {
      const body = '{"error":{"code":"body_too_large","message":"/"},"request_id":"r"}';
      return { status: 413, etag: null, retryAfter: undefined, body };
    }
    const place = dice.below(hubs.length);
    const hub = hubs[place] as HubProcess;
    const answer = await hub.answer(asking);
    return hubs[place] === hub ? answer : null;
  }

  private isTooLarge({ pathAndQuery, body }: HubRequest): boolean {
    if (this.mostEntities === Number.POSITIVE_INFINITY) return false;
    if (pathAndQuery !== SYNC_PATHS.discoveredApps) return false;
    const { entities } = JSON.parse(body ?? '') as { entities: unknown[] };
    return entities.length > this.mostEntities;
  }
}
