// The gate before every page: a session, or the sign-in page; then the person's first tenant.
import { Button, Loader } from '@mantine/core';
import { Navigate, Outlet } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { type Session, signInUrl, useSession } from '../api/session.ts';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Page } from '../ui/Page.tsx';
import { Notice } from './Fallbacks.tsx';
import { Logo } from './Logo.tsx';

const SessionContext = createContext<Session | null>(null);

export function useSignedIn(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('This part of the page stands outside of a session');
  return session;
}

export function SignedIn() {
  const session = useSession();
  if (session.data) {
    return (
      <SessionContext value={session.data}>
        <Outlet />
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
    return <Notice title={texts.product} text={texts.errors.noTenants} />;
  }
  return <Navigate to="/t/$tenantId" params={{ tenantId: first.tenant_id }} replace />;
}

export function TenantHome() {
  const { tenantId, role } = useTenant();
  const to = role === 'Member' ? '/t/$tenantId/my-devices' : '/t/$tenantId/overview';
  return <Navigate to={to} params={{ tenantId }} replace />;
}
