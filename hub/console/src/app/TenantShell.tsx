// The frame around a tenant's pages: header, navigation, the live connection, and keyboard support.
import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { FreshAlerts } from '../alerts/FreshAlerts.tsx';
import { tenantPath } from '../api/client.ts';
import { type LiveState, openEvents } from '../api/events.ts';
import { SESSION_KEY, staleAfter, topicKey } from '../api/keys.ts';
import { othersChanged } from '../api/live-lists.ts';
import { TenantContext } from '../api/tenant.ts';
import { GlobalSearch } from '../search/GlobalSearch.tsx';
import { texts } from '../texts.ts';
import { goToFaults } from '../ui/first-fault.ts';
import { keepFocus } from '../ui/focus-restoration.ts';
import { Page } from '../ui/Page.tsx';
import { WhyDialog } from '../why/WhyDialog.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { mayOpen, pathBelowTenant } from './areas.ts';
import { NoTenant } from './Fallbacks.tsx';
import { Logo } from './Logo.tsx';
import { notifyHubReachable } from './lazy-page.ts';
import { AreaTabs, Navigation } from './Navigation.tsx';
import { useSignedIn } from './SignedIn.tsx';
import { TenantMenu } from './TenantMenu.tsx';

export function TenantShell() {
  const { tenantId } = useParams({ from: '/t/$tenantId' });
  const session = useSignedIn();
  const membership = session.tenants.find((item) => item.tenant_id === tenantId.toLowerCase());
  const tenant = useMemo(
    () =>
      membership === undefined
        ? null
        : {
            tenantId: membership.tenant_id,
            name: membership.name,
            role: membership.role,
            email: session.email,
            csrfToken: session.csrf_token,
          },
    [membership, session.email, session.csrf_token],
  );
  if (tenant === null) {
    return <NoTenant tenantId={tenantId} suspended={session.suspended} />;
  }
  return (
    <TenantContext value={tenant} key={tenant.tenantId}>
      {tenant.role === 'Member' ? (
        <Frame
          isPortal
          tenantId={tenant.tenantId}
          live={<LivePages tenantId={tenant.tenantId} below="/own" />}
        >
          <OwnPages />
        </Frame>
      ) : (
        <FreshAlerts>
          <Frame tenantId={tenant.tenantId} live={<LivePages tenantId={tenant.tenantId} />}>
            <Outlet />
          </Frame>
        </FreshAlerts>
      )}
    </TenantContext>
  );
}

/** Returns whether a member may open the page: their own pages, and pages without data of the tenant. */
function OwnPages() {
  // The shown page, not the address: during a navigation the outlet still shows the previous page.
  const isOwn = useMatches({
    select: (matches) => {
      const path = pathBelowTenant(matches.at(-1)?.pathname ?? '');
      return path === '' || mayOpen('Member', path);
    },
  });
  return isOwn ? (
    <Outlet />
  ) : (
    <Page title={texts.errors.notForMembers}>
      <p>{texts.errors.memberOnly}</p>
    </Page>
  );
}

interface FrameProps {
  tenantId: string;
  live?: ReactNode;
  /** Without a sidebar: the tabs are the whole navigation. */
  isPortal?: boolean;
  children: ReactNode;
}

function Frame({ tenantId, live, isPortal = false, children }: FrameProps) {
  const [menuOpen, menu] = useDisclosure(false);
  const burger = useRef<HTMLButtonElement>(null);
  /** Called when the sidebar closes without a navigation, which would move the focus to the heading. */
  const isDismissed = useRef(false);
  useFocusOnNavigation();
  useEffect(keepFocus, []);
  useEffect(goToFaults, []);
  return (
    <>
      <div className="gw-shell" data-portal={isPortal || undefined}>
        <a className="gw-skip" href="#content">
          {texts.ui.skip}
        </a>
        <header className="gw-header">
          {isPortal ? null : (
            <Burger
              ref={burger}
              className="gw-burger"
              size="sm"
              opened={menuOpen}
              onClick={menu.open}
              aria-label={texts.ui.menu}
              aria-expanded={menuOpen}
            />
          )}
          <Link
            to="/t/$tenantId"
            params={{ tenantId }}
            className="gw-home"
            aria-label={texts.product}
          >
            <Logo />
          </Link>
          <TenantMenu />
          <div className="gw-header-end">
            {isPortal ? null : <GlobalSearch />}
            {live}
            <AccountMenu />
          </div>
        </header>
        {isPortal ? null : (
          <div className="gw-side">
            <Navigation />
          </div>
        )}
        <div className="gw-main">
          <div className="gw-main-inner">
            <AreaTabs />
            <main id="content" className="gw-content" tabIndex={-1}>
              {children}
            </main>
          </div>
        </div>
      </div>
      <WhyDialog />
      <Drawer
        opened={menuOpen}
        onClose={() => {
          isDismissed.current = true;
          menu.close();
        }}
        onExitTransitionEnd={() => {
          if (isDismissed.current) burger.current?.focus({ preventScroll: true });
          isDismissed.current = false;
        }}
        size={280}
        title={<Logo />}
        closeButtonProps={{ 'aria-label': texts.ui.closeMenu }}
      >
        <Navigation onChosen={menu.close} />
      </Drawer>
    </>
  );
}

interface LivePagesProps {
  tenantId: string;
  /** The event stream of members, below the tenant. */
  below?: string;
}

function LivePages({ tenantId, below = '' }: LivePagesProps) {
  return <LiveMark state={useLivePages(tenantId, below)} />;
}

function LiveMark({ state }: { state: LiveState }) {
  const text = { live: texts.ui.live, connecting: texts.ui.connecting, lost: texts.ui.lost }[state];
  return (
    <span
      className="gw-live"
      data-state={state}
      role="status"
      title={state === 'lost' ? texts.ui.lostHint : texts.ui.liveHint}
    >
      {text}
    </span>
  );
}

/** Reloads the queries of topics that the hub reports as changed. */
function useLivePages(tenantId: string, below: string): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  const queries = useQueryClient();
  useEffect(
    () =>
      openEvents(`${tenantPath(tenantId)}${below}`, {
        onTopic: (topic) => {
          for (const stale of staleAfter(topic)) {
            othersChanged(queries, topicKey(tenantId, stale));
          }
        },
        // The hub ends the stream of a user whose role changed, so the session is requested again.
        onGap: () => {
          void queries.invalidateQueries({ queryKey: SESSION_KEY });
          othersChanged(queries, [tenantId]);
          notifyHubReachable();
        },
        onRefused: () => void queries.invalidateQueries({ queryKey: SESSION_KEY }),
        onState: setState,
      }),
    [tenantId, below, queries],
  );
  return state;
}

/** Moves the focus to the heading after a navigation, for keyboards and screen readers. */
function useFocusOnNavigation() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
