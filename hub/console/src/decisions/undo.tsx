// The notification after a decision, with the way back: what was made is withdrawn, what was changed is changed back, what
// was withdrawn is decided again; each only as long as nobody else changed it.
import type {
  Override,
  OverrideAnswer,
  OverridePatch,
} from '@gatewarden/shared/wire/console/overrides.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiError, isStatus } from '../api/client.ts';
import { useTenantWrite } from '../api/tenant.ts';
import { reviewTexts as words } from '../applications/review-texts.ts';
import { texts } from '../texts.ts';
import { messageOf } from '../ui/ErrorPanel.tsx';
import { useAfterDecision } from './after-decision.ts';
import { againOf, backOf } from './undo-bodies.ts';

const SHOWN_MS = 15_000;

type WayBack = () => Promise<unknown>;

/** The ways back of what can be done to a decision. */
export function useUndo() {
  const write = useTenantWrite();
  return {
    creation:
      (made: Pick<Override, 'override_id' | 'version'>): WayBack =>
      () =>
        write('DELETE', `/overrides/${made.override_id}`, { ifMatch: made.version }),
    edit:
      (before: Override, after: Override): WayBack =>
      () =>
        write<OverrideAnswer>('PATCH', `/overrides/${after.override_id}`, {
          body: backOf(before, after) satisfies OverridePatch,
          ifMatch: after.version,
        }),
    withdrawal:
      (gone: Override): WayBack =>
      () =>
        write<OverrideAnswer>('POST', '/overrides', { body: againOf(gone) }),
  };
}

/** What hindered it, where it is not that somebody was quicker. */
function whyNot(causes: readonly unknown[]): string {
  const isQuicker = (cause: unknown) => [404, 409, 412].some((status) => isStatus(cause, status));
  const trouble = causes.find((cause) => !isQuicker(cause));
  if (trouble === undefined) return words.undoOvertaken;
  const id = trouble instanceof ApiError ? trouble.requestId : null;
  return id === null
    ? messageOf(trouble)
    : `${messageOf(trouble)} ${texts.errors.requestId}: ${id}`;
}

/** Says what was done and offers to take it back. */
export function useOfferUndo() {
  const afterDecision = useAfterDecision();
  return (message: string, ways: readonly WayBack[]): void => {
    const undo = async (id: string) => {
      notifications.hide(id);
      const done = await Promise.allSettled(ways.map((way) => way()));
      void afterDecision();
      const causes = done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      notifications.show(
        causes.length === 0
          ? { color: 'teal', message: words.undone }
          : { color: 'red', message: words.notUndone(causes.length, done.length, whyNot(causes)) },
      );
    };
    const id = crypto.randomUUID();
    notifications.show({
      id,
      color: 'teal',
      autoClose: SHOWN_MS,
      message: (
        <span className="gw-inline-badges">
          {message}{' '}
          <Button size="compact-xs" variant="default" onClick={() => void undo(id)}>
            {words.undo}
          </Button>
        </span>
      ),
    });
  };
}
