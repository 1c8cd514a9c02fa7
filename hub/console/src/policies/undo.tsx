// The notification with Undo after a policy was created, changed or removed. Undo works once, and only while no other user
// has changed the policy.
import type {
  Override,
  OverrideAnswer,
  OverrideInput,
  OverridePatch,
  OverridePreviewInput,
  PreviewAnswer,
} from '@gatewarden/shared/wire/console/overrides.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiError, isStatus } from '../api/client.ts';
import { isStored, mayBeStored, sentSurely } from '../api/idempotency.ts';
import { useTenant, useTenantWrite } from '../api/tenant.ts';
import { reviewTexts as words } from '../applications/review-texts.ts';
import { texts } from '../texts.ts';
import { messageOf } from '../ui/ErrorPanel.tsx';
import { useAfterDecision } from './after-decision.ts';
import { listedOverride } from './find-override.ts';
import { says } from './form-values.ts';
import { againOf, backOf } from './undo-bodies.ts';

const SHOWN_MS = 15_000;

/** A repeated request has no second effect: the hub recognizes the user's own change. */
type WayBack = () => Promise<unknown>;

/** The undo actions by the kind of change. */
export function useUndo() {
  const { tenantId, email } = useTenant();
  const write = useTenantWrite();
  /** Returns the stored policy if this user made its last change. */
  const own = async (overrideId: string) => {
    const now = await listedOverride(tenantId, overrideId);
    return now?.updated_by === email ? now : null;
  };
  const decideAgain = async (body: OverrideInput): Promise<unknown> => {
    try {
      return await write<OverrideAnswer>('POST', '/overrides', { body });
    } catch (error) {
      if (!isStatus(error, 412)) throw error;
      const { as_of_revision: _seen, ...asked } = body;
      const preview = await write<PreviewAnswer>('POST', '/overrides/preview', {
        body: asked satisfies OverridePreviewInput,
      });
      // The user's own later changes of other policies do not prevent the undo.
      if (preview.standing.items.some((item) => item.updated_by !== email)) throw error;
      const { as_of_revision } = preview;
      return write<OverrideAnswer>('POST', '/overrides', { body: { ...asked, as_of_revision } });
    }
  };
  return {
    creation:
      (made: Pick<Override, 'override_id' | 'version'>): WayBack =>
      () =>
        sentSurely(() =>
          write('DELETE', `/overrides/${made.override_id}`, { ifMatch: made.version }),
        ).catch(async (error: unknown) => {
          if (!isStatus(error, 404)) throw error;
          if ((await own(made.override_id))?.state !== 'withdrawn') throw error;
        }),
    edit: (before: Override, after: Override): WayBack => {
      const body = backOf(before, after) satisfies OverridePatch;
      return () =>
        sentSurely(() =>
          write<OverrideAnswer>('PATCH', `/overrides/${after.override_id}`, {
            body,
            ifMatch: after.version,
          }),
        ).catch(async (error: unknown) => {
          if (!isStatus(error, 412)) throw error;
          const now = await own(after.override_id);
          if (now === null || now.state === 'withdrawn' || !says(now, body)) throw error;
        });
    },
    /** `revision` is that of the removal. A policy that another user set since is not replaced. */
    withdrawal: (gone: Override, revision: number): WayBack => {
      const body = {
        ...againOf(gone),
        override_id: crypto.randomUUID(),
        as_of_revision: revision,
      };
      return () =>
        sentSurely(() => decideAgain(body)).catch((error: unknown) => {
          // The id is new, so that no other user's policy has it.
          if (!isStored(error)) throw error;
        });
    },
  };
}

/** Returns the error of an undo that is not an edit conflict. */
function whyNot(causes: readonly unknown[]): string {
  const isQuicker = (cause: unknown) => [404, 409, 412].some((status) => isStatus(cause, status));
  const trouble = causes.find((cause) => !isQuicker(cause));
  if (trouble === undefined) return words.undoOvertaken;
  const id = trouble instanceof ApiError ? trouble.requestId : null;
  return id === null
    ? messageOf(trouble)
    : `${messageOf(trouble)} ${texts.errors.requestId}: ${id}`;
}

/** Returns whether a retry may succeed: the hub was unreachable or overloaded, or the session had ended. */
const mayPass = (error: unknown): boolean =>
  mayBeStored(error) || isStatus(error, 401) || isStatus(error, 429);

/** Shows the notification with Undo, and again after a temporary error. */
export function useOfferUndo() {
  const afterDecision = useAfterDecision();
  const takeBack = async (ways: readonly WayBack[]) => {
    const done = await Promise.allSettled(ways.map((way) => way()));
    void afterDecision();
    const causes = done.flatMap((item) => (item.status === 'rejected' ? [item.reason] : []));
    if (causes.length === 0) {
      notifications.show({ color: 'teal', message: words.undone(done.length) });
      return;
    }
    const said = words.notUndone(causes.length, done.length, whyNot(causes));
    const left = ways.filter((_, i) => {
      const item = done[i];
      return item?.status === 'rejected' && mayPass(item.reason);
    });
    if (left.length === 0) notifications.show({ color: 'red', message: said });
    else offer({ message: said, action: texts.ui.retry, ways: left, isTrouble: true });
  };
  const offer = ({ message, action, ways, isTrouble }: Offer) => {
    const id = crypto.randomUUID();
    let isTaken = false;
    const take = () => {
      // A second click can arrive before the notification closes.
      if (isTaken) return;
      isTaken = true;
      notifications.hide(id);
      void takeBack(ways);
    };
    notifications.show({
      id,
      color: isTrouble ? 'red' : 'teal',
      autoClose: isTrouble ? false : SHOWN_MS,
      message: (
        <span className="gw-inline-badges">
          {message}{' '}
          <Button size="compact-xs" variant="default" onClick={take}>
            {action}
          </Button>
        </span>
      ),
    });
  };
  return (message: string, ways: readonly WayBack[]): void => {
    if (ways.length === 0) notifications.show({ color: 'teal', message });
    else offer({ message, action: words.undo, ways, isTrouble: false });
  };
}

interface Offer {
  message: string;
  action: string;
  ways: readonly WayBack[];
  isTrouble: boolean;
}
