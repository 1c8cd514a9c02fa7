// Health, tools and adoption of published servers, as cells of a list.
import type {
  ServerHealthState,
  ServerStatus,
  ServerStatusAnswer,
} from '@gatewarden/shared/wire/console/mcp-server-health.ts';
import { useResource } from '../api/tenant.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { publishTexts } from './publish-texts.ts';

const words = publishTexts.health;

/** Returns the status of each server by its id; empty until it is loaded. */
export function useServerStatus(): ReadonlyMap<string, ServerStatus> {
  const { data } = useResource<ServerStatusAnswer>('mcp', '/mcp/server-status', {}, 'aside');
  return new Map(data?.items.map((item) => [item.backend_id, item]));
}

const TONES: Record<ServerHealthState, Tone> = {
  unknown: 'plain',
  reachable: 'good',
  sign_in_required: 'info',
  unreachable: 'bad',
};

export function HealthBadge({ state }: { state: ServerHealthState }) {
  return (
    <Badge tone={TONES[state]} dot>
      {words.states[state]}
    </Badge>
  );
}

/** The state, and the error while the server is unreachable. */
export function HealthCell({ status }: { status: ServerStatus | undefined }) {
  if (status === undefined) return null;
  const { state, last_error: error } = status.health;
  return (
    <div>
      <HealthBadge state={state} />
      {state === 'unreachable' && error !== null ? (
        <div className="gw-dimmed gw-small">
          <Name value={error} clamp />
        </div>
      ) : null}
    </div>
  );
}

export function ToolCountCell({ status }: { status: ServerStatus | undefined }) {
  if (status === undefined) return null;
  const { approved_tool_count: approved, drifted_tool_count: drifted, tool_count: count } = status;
  const all = Math.max(count ?? 0, approved);
  if (all === 0 && count === null) return <span className="gw-dimmed">{words.toolsUnknown}</span>;
  return (
    <div>
      {words.approvedTools(approved, all)}
      {drifted === 0 ? null : (
        <div>
          <Badge tone="warn">{words.toolsDrifted(drifted)}</Badge>
        </div>
      )}
    </div>
  );
}
