// Detects new alerts while the page is open: announces them, shows a notice, and marks them in the list.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { visible } from '../ui/visible.ts';
import { alertKey, type SeenAlerts, updateSeenAlerts, useOpenAlerts } from './open-alerts.ts';

const MARKED_MS = 60_000;
const NOTICE_ID = 'fresh-alerts';

const FreshContext = createContext<ReadonlySet<string>>(new Set());

export const useFreshAlerts = (): ReadonlySet<string> => use(FreshContext);

export function FreshAlerts({ children }: { children: ReactNode }) {
  const open = useOpenAlerts().data?.items;
  const seen = useRef<SeenAlerts | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [announcement, setAnnouncement] = useState('');
  const { tenantId } = useTenant();
  const navigate = useNavigate();
  const onAlertsPage = useLocation({ select: (at) => at.pathname.endsWith('/alerts') });

  useEffect(() => {
    if (open === undefined) return;
    const look = updateSeenAlerts(open, seen.current);
    seen.current = look.seen;
    const newest = look.fresh[0];
    if (newest === undefined) return;
    setMarked((former) => new Set([...former, ...look.fresh.map(alertKey)]));
    if (onAlertsPage) {
      setAnnouncement(texts.alerts.arrived(look.fresh.length, headline(newest)));
      return;
    }
    notifications.hide(NOTICE_ID);
    notifications.show({
      id: NOTICE_ID,
      color: 'red',
      title: texts.alerts.toastTitle(look.fresh.length),
      autoClose: 10_000,
      message: (
        <>
          <bdi className="gw-name gw-clamp">{headline(newest)}</bdi>
          <Button
            size="compact-xs"
            variant="default"
            mt={8}
            onClick={() => {
              notifications.hide(NOTICE_ID);
              void navigate({ to: '/t/$tenantId/activity/alerts', params: { tenantId } });
            }}
          >
            {texts.alerts.show}
          </Button>
        </>
      ),
    });
  }, [open, onAlertsPage, navigate, tenantId]);

  useEffect(() => {
    if (marked.size === 0) return;
    const timer = setTimeout(() => {
      setMarked(new Set());
    }, MARKED_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [marked]);

  return (
    <FreshContext value={marked}>
      {children}
      <div className="gw-vh" aria-live="polite" data-testid="alert-announcement">
        {announcement}
      </div>
    </FreshContext>
  );
}

/** Returns the subject of an alert in a line of plain text; each name is isolated from its neighbors. */
export function headline(alert: AlertRow): string {
  const what = alert.application_name ?? alert.process?.name ?? null;
  if (what === null) return alert.message;
  return `${texts.alerts.actions[alert.action]}: ${isolateName(what)} · ${isolateName(alert.hostname)}`;
}

/** Wraps a name in Unicode isolates for labels without markup, so that a bidi override ends with the name. */
const isolateName = (name: string): string => `\u2068${visible(name)}\u2069`;
