// When the end of a key is told, to whom, and in which words. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import type { ExpiringSecret, IssuedSecret } from '../../../platform/issued-secrets.ts';

const DAY_MS = 86_400_000;

/** Days before the end; a key that does not live for twice as long from its making is told of by the next one only. */
export const NOTICE_DAYS = [7, 1] as const;
export const FIRST_NOTICE_DAYS = NOTICE_DAYS[0];

/** Which notice this key's end asks for at `now`; null for none. One that was slept through is not made up for. */
export function noticeOf(
  key: Pick<IssuedSecret, 'created_at' | 'expires_at'>,
  now: Date,
): (typeof NOTICE_DAYS)[number] | null {
  if (key.expires_at === null) return null;
  const left = key.expires_at.getTime() - now.getTime();
  const life = key.expires_at.getTime() - key.created_at.getTime();
  if (left <= 0) return null;
  const due = NOTICE_DAYS.filter((days) => left <= days * DAY_MS && life > 2 * days * DAY_MS);
  return due.at(-1) ?? null;
}

export interface Members {
  /** Folded address → address; enabled people only. */
  enabled: ReadonlyMap<string, string>;
  admins: readonly string[];
}

/** Who made it, where they may still sign in; else the tenant's administrators. */
export function toldOf(key: ExpiringSecret, { enabled, admins }: Members): readonly string[] {
  const maker = key.created_by === null ? undefined : enabled.get(foldName(key.created_by));
  return maker === undefined ? admins : [maker];
}

export interface EndingKey {
  kind: string;
  name: string;
  expires_at: string;
  last_used_at: string | null;
}

/** In one mail. */
const NAMED_MAX = 50;

/** One mail about all keys that one person is told of. `keysUrl` is the page that lists them. */
export function noticeText(facts: {
  tenant: string;
  keysUrl: string;
  keys: readonly EndingKey[];
  now: Date;
}): { subject: string; text: string } {
  const tenant = toSingleLine(facts.tenant);
  const [first] = facts.keys;
  const what =
    facts.keys.length === 1 && first !== undefined
      ? `${first.kind} “${toSingleLine(first.name)}” expires ${soon(first, facts.now)}`
      : `${facts.keys.length} keys expire soon`;
  return {
    subject: `[Gatewarden] ${tenant}: ${what}`,
    text: [
      `These keys of ${tenant} expire soon. Requests with an expired key fail.`,
      '',
      ...facts.keys
        .slice(0, NAMED_MAX)
        .map(
          (key) =>
            `- ${key.kind} “${toSingleLine(key.name)}” expires ${soon(key, facts.now)}, ${minute(key.expires_at)}; last used ${key.last_used_at === null ? 'never or unknown' : minute(key.last_used_at)}`,
        ),
      ...(facts.keys.length > NAMED_MAX ? [`- and ${facts.keys.length - NAMED_MAX} more`] : []),
      '',
      'Create a new key, switch to it, and let the old key expire. All keys that expire soon:',
      facts.keysUrl,
    ].join('\n'),
  };
}

function soon({ expires_at: at }: EndingKey, now: Date): string {
  const hours = Math.ceil((Date.parse(at) - now.getTime()) / 3_600_000);
  return hours <= 48 ? `in ${hours} hours` : `in ${Math.ceil(hours / 24)} days`;
}

const minute = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
