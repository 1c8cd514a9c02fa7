// In a table: when something was done, and by whom below.

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
