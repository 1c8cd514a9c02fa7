// Notifies users of what happened to their programs: on the desktop of an unwanted program (once for each start of
// it), and in the tray app of every action. Notices stay in memory, each for its own user only.

import type { Notice } from '@gatewarden/shared/wire/local/service.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { UserKeys } from '../local-api/user-keys.ts';
import { applicationName, type CorrelatedProcess } from '../processes/process-correlator.ts';

/** Content of a notification about a process. */
export interface UserNotification {
  correlated: CorrelatedProcess;
  override: WireOverride;
  kind: Notice['kind'];
  entityId: string | null;
}

export interface Notices {
  notify(notification: UserNotification): void;
  /** A person's own, the newest last; none for who does not show that person's key. */
  listFor(key: string | null): Notice[];
  /** Returns the notices of all users. */
  listAll(): Notice[];
}

/** Processes of an application within this time count as a single start. */
const SAME_START_MS = 10 * 60_000;
/** A request of a user within this time shows a running tray app, which displays notices itself. */
const HAS_TRAY_MS = 30_000;
const KEPT = 50;
const PEOPLE_MAX = 1000;

/** `notify` shows it on the desktop of the person with that user id. */
export function createNotices(options: {
  people: Pick<UserKeys, 'issueKey' | 'uidOf'>;
  makeId: () => string;
  now: () => number;
  notify: (uid: number, title: string, text: string) => void;
}): Notices {
  const notifiedAt = new Map<string, number>();
  const askedAt = new Map<number, number>();
  const notices = new Map<number, Notice[]>();
  const noticesOf = (uid: number): Notice[] => {
    const own = notices.get(uid) ?? [];
    if (notices.size < PEOPLE_MAX) notices.set(uid, own);
    options.people.issueKey(uid);
    return own;
  };
  return {
    notify({ correlated, override, kind, entityId }) {
      const { uid, name } = correlated.process;
      if (uid === null) return;
      const application = applicationName(correlated) ?? name;
      const now = options.now();
      const start = `${uid}:${override.override_id}:${kind}:${application}`;
      const before = notifiedAt.get(start);
      if (before !== undefined && now >= before && now - before < SAME_START_MS) return;
      for (const [key, at] of notifiedAt) if (now - at >= SAME_START_MS) notifiedAt.delete(key);
      notifiedAt.set(start, now);
      const own = noticesOf(uid);
      own.push({
        notice_id: options.makeId(),
        at: new Date(now).toISOString(),
        kind,
        application_name: application,
        process_name: name,
        entity_id: entityId,
        override_id: override.override_id,
        reason: override.reason,
      });
      if (own.length > KEPT) own.shift();
      const asked = askedAt.get(uid);
      const hasTray = asked !== undefined && now >= asked && now - asked < HAS_TRAY_MS;
      if (kind !== 'warned' || hasTray) return;
      const text = override.reason ?? 'Please ask your administrator before you use it.';
      options.notify(uid, `Your company does not want ${application} to be used here`, text);
    },
    listFor(key) {
      const uid = options.people.uidOf(key);
      if (uid === null) return [];
      if (askedAt.has(uid) || askedAt.size < PEOPLE_MAX) askedAt.set(uid, options.now());
      return notices.get(uid) ?? [];
    },
    listAll: () => [...notices.values()].flat(),
  };
}
