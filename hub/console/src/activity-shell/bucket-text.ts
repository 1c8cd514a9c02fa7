// Times of buckets as people read them: in their own zone, days and weeks in UTC, because these buckets begin at midnight UTC.
import { dayText } from '../ui/time-text.ts';

const DAY_SECONDS = 86_400;

/** Returns the text of the start of a bucket; `isShort` leaves out what the axis repeats. */
export function bucketText(at: string, bucketSeconds: number, isShort = false): string {
  if (bucketSeconds >= DAY_SECONDS) return dayText(at.slice(0, 10));
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const isWithinDays = bucketSeconds >= DAY_SECONDS / 8;
  return time.toLocaleString(undefined, {
    ...(isShort && !isWithinDays ? {} : { month: 'short', day: 'numeric' }),
    ...{ hour: '2-digit', minute: '2-digit' },
  });
}
