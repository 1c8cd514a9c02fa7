// The notification after a decision, with the way back: what was made is withdrawn, as long as nobody changed it.
import type { Override } from '@gatewarden/shared/wire/console/overrides.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTenantWrite } from '../api/tenant.ts';
import { reviewTexts as words } from '../applications/review-texts.ts';
import { useAfterDecision } from './after-decision.ts';

const SHOWN_MS = 15_000;

/** Says what was done and offers to take it back. */
export function useOfferUndo() {
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  return (message: string, made: readonly Pick<Override, 'override_id' | 'version'>[]): void => {
    const undo = async (id: string) => {
      notifications.hide(id);
      const done = await Promise.allSettled(
        made.map((one) =>
          write('DELETE', `/overrides/${one.override_id}`, { ifMatch: one.version }),
        ),
      );
      void afterDecision();
      const failed = done.some((one) => one.status === 'rejected');
      notifications.show({
        color: failed ? 'red' : 'teal',
        message: failed ? words.undoFailed : words.undone,
      });
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
