// In a table: when something was done, and by whom below.
import { Name } from './Name.tsx';
import { Time } from './Time.tsx';

export function WhenAndWho({ at, by }: { at: string; by: string }) {
  return (
    <div>
      <Time at={at} />
      <div className="gw-dimmed gw-small">
        <Name value={by} clamp />
      </div>
    </div>
  );
}
