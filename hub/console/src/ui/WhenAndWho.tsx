// A table cell with a time, and the user below.

import { UserLink } from '../users/UserLink.tsx';
import { Time } from './Time.tsx';

export function WhenAndWho({ at, by }: { at: string; by: string }) {
  return (
    <div>
      <Time at={at} />
      <div className="gw-dimmed gw-small">
        <UserLink value={by} />
      </div>
    </div>
  );
}
