// Notification reducer: derives notifications from consecutive states of the service. Pure.
import type { AgentStatus, Notice } from '@gatewarden/shared/wire/local/service.ts';
import { texts } from '../texts.ts';
import { hubStateOf } from './state.ts';

export interface News {
  title: string;
  text: string;
}

/** State after the observations so far. */
export interface Memory {
  /** Null before the first look: what happened before the app was there is no news. */
  known: ReadonlySet<string> | null;
  runs: boolean;
  dropped: number;
  /** Since when something is so (ms), and whether that was isReported. */
  lost: Lasting | null;
  queued: Lasting | null;
  stopped: Lasting | null;
}

interface Lasting {
  sinceMs: number;
  isReported: boolean;
}

export const NOTHING_KNOWN: Memory = {
  known: null,
  runs: false,
  dropped: 0,
  lost: null,
  queued: null,
  stopped: null,
};

/** A hub that restarts, or an alert that is on its way, is no news. */
const LASTS_MS = 60_000;
const t = texts.news;

/** `status` null: no service answered. `notices` null: they could not be asked for, so nothing is known of them. */
export function observe(
  memory: Memory,
  status: AgentStatus | null,
  notices: readonly Notice[] | null,
  nowMs: number,
): { memory: Memory; news: News[] } {
  const news: News[] = [];
  const { known } = memory;
  if (known !== null) {
    for (const notice of notices ?? []) {
      if (known.has(notice.notice_id)) continue;
      const { title, text } = t[notice.kind];
      news.push({ title: title(notice.application_name), text: notice.reason ?? text });
    }
  }
  const last = (before: Lasting | null, isSo: boolean, begins: () => News, ends: News | null) => {
    if (!isSo) {
      if (before?.isReported === true && ends !== null) news.push(ends);
      return null;
    }
    const { sinceMs, isReported } = before ?? { sinceMs: nowMs, isReported: false };
    const isDue = !isReported && nowMs - sinceMs >= LASTS_MS;
    if (isDue) news.push(begins());
    return { sinceMs, isReported: isReported || isDue };
  };
  const stopped = last(memory.stopped, status === null, () => t.stopped, t.started);
  if (status === null) return { memory: { ...memory, stopped }, news };
  const lost = last(memory.lost, hubStateOf(status.hub) === 'away', () => t.lost, t.back);
  const waiting = status.alerts_queued;
  const alertsWait = () => ({ title: t.queued.title(waiting), text: t.queued.text });
  const queued = last(memory.queued, waiting > 0, alertsWait, t.sent);
  const lostAlerts = status.alerts_dropped - memory.dropped;
  if (memory.runs && lostAlerts > 0) {
    news.push({ title: t.dropped.title(lostAlerts), text: t.dropped.text });
  }
  return {
    memory: {
      known: notices === null ? known : new Set(notices.map((notice) => notice.notice_id)),
      runs: true,
      dropped: status.alerts_dropped,
      ...{ lost, queued, stopped },
    },
    news,
  };
}
