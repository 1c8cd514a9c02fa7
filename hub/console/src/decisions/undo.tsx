// The notification after a decision, with the way back: what was made is withdrawn, what was changed is changed back, what
// was withdrawn is decided again; each only as long as nobody else changed it, and once, whatever becomes of the answers.
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

/** Sent again, it does nothing twice: what was done already is known to be one's own. */
type WayBack = () => Promise<unknown>;

/** The ways back of what can be done to a decision. */
export function useUndo() {
  const { tenantId, email } = useTenant();
  const write = useTenantWrite();
  /** The decision as it stands, where it was this person who made it stand so. */
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
      // What this person did about the same since, such as withdrawing another, is not in the way.
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
    /** `revision`: of the withdrawal. Who decided about the same since is not decided over. */
    withdrawal: (gone: Override, revision: number): WayBack => {
      const body = {
        ...againOf(gone),
        override_id: crypto.randomUUID(),
        as_of_revision: revision,
      };
      return () =>
        sentSurely(() => decideAgain(body)).catch((error: unknown) => {
          // Nobody else has this id.
          if (!isStored(error)) throw error;
        });
    },
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

/** Trouble that passes: the hub was away or too busy, or nobody was signed in any more. */
const mayPass = (error: unknown): boolean =>
  mayBeStored(error) || isStatus(error, 401) || isStatus(error, 429);

/** Says what was done and offers to take it back; what trouble hindered is offered again. */
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
      // A second click comes before the first has taken the notice away.
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
    offer({ message, action: words.undo, ways, isTrouble: false });
  };
}

interface Offer {
  message: string;
  action: string;
  ways: readonly WayBack[];
  isTrouble: boolean;
}
