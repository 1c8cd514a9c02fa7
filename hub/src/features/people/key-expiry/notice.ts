// When a notice about an expiring key is due, its recipients and its text. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import type { ExpiringSecret, IssuedSecret } from '../../../platform/issued-secrets.ts';

const DAY_MS = 86_400_000;

/**
 * Days before the expiry. A notice is skipped for a key whose lifetime is less than twice that long; the next notice
 * follows.
 */
export const NOTICE_DAYS = [7, 1] as const;
export const FIRST_NOTICE_DAYS = NOTICE_DAYS[0];

/**
 * Returns the notice that is due at `now`; null for none. A notice that was missed while no hub ran is not made up for.
 */
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

/** Returns the creator if they may still sign in; otherwise the tenant's administrators. */
export function recipientsOf(key: ExpiringSecret, { enabled, admins }: Members): readonly string[] {
  const creator = key.created_by === null ? undefined : enabled.get(foldName(key.created_by));
  return creator === undefined ? admins : [creator];
}

export interface ExpiringKey {
  kind: string;
  name: string;
  expires_at: string;
  last_used_at: string | null;
}

/** The most keys that a mail lists. */
const LISTED_MAX = 50;

/** Returns the mail about all keys of a recipient. `keysUrl` is the page that lists them. */
export function noticeText(facts: {
  tenant: string;
  keysUrl: string;
  keys: readonly ExpiringKey[];
  now: Date;
}): { subject: string; text: string } {
  const tenant = toSingleLine(facts.tenant);
  const [first] = facts.keys;
  const summary =
    facts.keys.length === 1 && first !== undefined
      ? `${first.kind} “${toSingleLine(first.name)}” expires ${timeLeftText(first, facts.now)}`
      : `${facts.keys.length} keys expire soon`;
  return {
    subject: `[Gatewarden] ${tenant}: ${summary}`,
    text: [
      `These keys of ${tenant} expire soon. Requests with an expired key fail.`,
      '',
      ...facts.keys
        .slice(0, LISTED_MAX)
        .map(
          (key) =>
            `- ${key.kind} “${toSingleLine(key.name)}” expires ${timeLeftText(key, facts.now)}, ${minuteText(key.expires_at)}; last used ${key.last_used_at === null ? 'never or unknown' : minuteText(key.last_used_at)}`,
        ),
      ...(facts.keys.length > LISTED_MAX ? [`- and ${facts.keys.length - LISTED_MAX} more`] : []),
      '',
      'Create a new key, switch to it, and let the old key expire. All keys that expire soon:',
      facts.keysUrl,
    ].join('\n'),
  };
}

function timeLeftText({ expires_at: at }: ExpiringKey, now: Date): string {
  const hours = Math.ceil((Date.parse(at) - now.getTime()) / 3_600_000);
  return hours <= 48 ? `in ${hours} hours` : `in ${Math.ceil(hours / 24)} days`;
}

const minuteText = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
