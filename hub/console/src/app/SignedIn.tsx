// The gate before every page: a session, or the sign-in page; then the user's first tenant.
import { Button, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet } from '@tanstack/react-router';
import { createContext, use, useEffect, useRef, useState } from 'react';
import { SESSION_KEY } from '../api/keys.ts';
import {
  notifyTabs,
  type Session,
  signInUrl,
  subscribeToTabs,
  useSession,
} from '../api/session.ts';
import { useTenant } from '../api/tenant.ts';
import { setVendorNames } from '../gateway/vendors.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Page } from '../ui/Page.tsx';
import { NoTenant } from './Fallbacks.tsx';
import { Logo } from './Logo.tsx';

const SessionContext = createContext<Session | null>(null);

export function useSignedIn(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('The component is outside of a session');
  return session;
}

/** Covers the page of a user whose session ended; the page and its input stay. */
export function SignedIn() {
  const session = useSession();
  const [shownSession, setShownSession] = useState<Session | null>(null);
  const isOtherUser =
    session.data && shownSession !== null && session.data.email !== shownSession.email;
  if (session.data && session.data !== shownSession && !isOtherUser) {
    // A hub of the previous release has no names.
    setVendorNames(session.data.provider_names ?? {});
    setShownSession(session.data);
  }
  useEffect(() => {
    // Cached pages and typed text of the previous user must not reach this user.
    if (isOtherUser) window.location.reload();
  }, [isOtherUser]);
  useReloadAfterSignIn(session.data);
  if (shownSession !== null && !isOtherUser) {
    return (
      <SessionContext value={shownSession}>
        <Outlet />
        {session.data === null ? <SignInAgain /> : null}
      </SessionContext>
    );
  }
  if (session.data === null) return <SignIn />;
  return (
    <main className="gw-lone">
      {session.isError ? (
        <div className="gw-card">
          <ErrorPanel error={session.error} onRetry={() => void session.refetch()} />
        </div>
      ) : (
        <Loader aria-label={texts.ui.loading} />
      )}
    </main>
  );
}

/** Reloads rejected queries after a sign-in in any tab of the browser. */
function useReloadAfterSignIn(session: Session | null | undefined) {
  const queries = useQueryClient();
  const isIn = session === undefined ? undefined : session !== null;
  const wasOut = useRef(false);
  useEffect(() => {
    if (isIn === undefined) return;
    if (isIn) notifyTabs();
    // After the pages have the new session's token, because previews are sent with the token.
    if (isIn && wasOut.current) void queries.invalidateQueries();
    wasOut.current = !isIn;
    return subscribeToTabs(() => void queries.invalidateQueries({ queryKey: SESSION_KEY }));
  }, [isIn, queries]);
}

/** Escape would close Mantine's dialogs below and discard their input. */
const KEEP = 'data-mantine-stop-propagation';
const KEEPS_FORMS = { [KEEP]: 'true' };

/** The sign-in cover is in the browser's top layer, above every dialog of the page, which is hidden and inert. */
function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // A click beside the dialog moves the focus to the body.
    document.body.setAttribute(KEEP, 'true');
    return () => {
      document.body.removeAttribute(KEEP);
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  const { pathname, search } = window.location;
  return (
    <dialog
      ref={dialog}
      className="gw-card gw-sign-in-card gw-sign-in-again"
      aria-labelledby="sign-in-again"
      {...KEEPS_FORMS}
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
    >
      <Logo />
      <h2 id="sign-in-again">{texts.signIn.againTitle}</h2>
      <p>{texts.signIn.againLead}</p>
      <Button
        component="a"
        href={signInUrl(`${pathname}${search}`)}
        target="_blank"
        fullWidth
        {...KEEPS_FORMS}
      >
        {texts.signIn.action}
      </Button>
    </dialog>
  );
}

function SignIn() {
  const { pathname, search } = window.location;
  return (
    <main className="gw-sign-in">
      <div className="gw-card gw-sign-in-card">
        <Logo />
        <Page title={texts.signIn.title} lead={texts.signIn.lead}>
          <Button component="a" href={signInUrl(`${pathname}${search}`)} size="md" fullWidth>
            {texts.signIn.action}
          </Button>
          <p className="gw-dimmed gw-small">{texts.signIn.note}</p>
        </Page>
      </div>
    </main>
  );
}

export function FirstTenant() {
  const session = useSignedIn();
  const first = session.tenants[0];
  if (first === undefined) {
    return <NoTenant suspended={session.suspended} />;
  }
  return <Navigate to="/t/$tenantId" params={{ tenantId: first.tenant_id }} replace />;
}

export function TenantHome() {
  const { tenantId, role } = useTenant();
  const to = role === 'Member' ? '/t/$tenantId/my/devices' : '/t/$tenantId/home';
  return <Navigate to={to} params={{ tenantId }} replace />;
}
