// The device's own token: asked for at first contact, renewed before its end, forgotten when the hub no longer knows it.
import { randomBytes } from 'node:crypto';
import { DamagedTokens, type TokenPlace } from '../config/token-store.ts';
import { HubRefused } from './backoff.ts';
import type { SyncClient } from './hub-client.ts';

interface DeviceToken {
  token: string;
  issued_at: string;
  expires_at: string;
  /** Identity that the token belongs to: it is invalid under another id, tenant or subscriber. */
  belongs_to: string;
}

export interface Tokens {
  /** The best token there is. */
  current(): string | null;
  /** Asks for a device token where there is none or it ends soon. */
  ensure(client: SyncClient, subscriberId: string): Promise<'current' | 'new' | 'not offered'>;
  /** The hub refuses the device token: the next `ensure` asks with the agent's own, and where that fails, too, goes back. */
  doubtDeviceToken(): void;
}

const DAY_MS = 86_400_000;
const RENEW_BEFORE_MS = 30 * DAY_MS;

/** Reads what is kept. `belongsTo` names device, tenant and subscriber. */
export async function loadTokens(
  place: TokenPlace,
  belongsTo: string,
  now: () => number,
): Promise<Tokens> {
  const agentToken = await place.read('agent_token');
  const keptDevice = parseKept(await place.read('device_token'));
  let device = keptDevice?.belongs_to === belongsTo ? keptDevice : null;
  let doubted: DeviceToken | null = null;
  let offered = true;
  return {
    current: () => device?.token ?? agentToken,
    async ensure(client, subscriberId) {
      if (!offered) return 'not offered';
      if (device !== null && !isDue(device, now())) return 'current';
      try {
        const answer = await client.post('enroll', {
          device: client.device,
          subscriber_id: subscriberId,
          enrolment_key: await enrolmentKey(place),
        });
        device = {
          token: answer.device_token,
          issued_at: new Date(now()).toISOString(),
          expires_at: answer.expires_at,
          belongs_to: belongsTo,
        };
        doubted = null;
        await place.write('device_token', JSON.stringify(device));
        await place.write('enrolment_key', null);
        return 'new';
      } catch (error) {
        if (doubted !== null) device = doubted;
        doubted = null;
        if (!(error instanceof HubRefused && error.status === 404)) throw error;
        // An older hub: the agent's own token does for all.
        offered = false;
        return 'not offered';
      }
    },
    doubtDeviceToken() {
      if (device === null || agentToken === null) return;
      doubted = device;
      device = null;
    },
  };
}

/** Kept until the token is: by it the hub knows who asks again because an answer was lost. */
async function enrolmentKey(place: TokenPlace): Promise<string> {
  const known = await place.read('enrolment_key').catch((error: unknown) => {
    // Mended by the write. Of a place that only fails to answer now, another key would lose what the hub knows.
    if (error instanceof DamagedTokens) return null;
    throw error;
  });
  if (known !== null && KEY.test(known)) return known;
  const made = randomBytes(32).toString('base64url');
  await place.write('enrolment_key', made);
  return made;
}

const KEY = /^[\w-]{43}$/;

/** A short-lived token is renewed in its last third, not at every poll. */
function isDue(device: DeviceToken, nowMs: number): boolean {
  const end = Date.parse(device.expires_at);
  const life = end - Date.parse(device.issued_at);
  // The token ended before it was issued by this clock: the two clocks are years apart, and only the token's age is
  // known. Once they agree it is valid again.
  if (life <= 0) {
    const isOld = nowMs - Date.parse(device.issued_at) > DAY_MS;
    return isOld || (end > nowMs && end - nowMs < RENEW_BEFORE_MS);
  }
  return end - nowMs < Math.min(RENEW_BEFORE_MS, Number.isNaN(life) ? Infinity : life / 3);
}

function parseKept(text: string | null): DeviceToken | null {
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Partial<DeviceToken>;
    const { token, issued_at = '', expires_at, belongs_to = '' } = kept;
    if (typeof token !== 'string' || typeof expires_at !== 'string') return null;
    return { token, issued_at, expires_at, belongs_to };
  } catch {
    // A damaged token is requested anew.
    return null;
  }
}
