// Pages in place of a missing, failed or forbidden page.
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/client.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Page } from '../ui/Page.tsx';
import { visible } from '../ui/visible.ts';
import { isHubReachable, onHubReachable } from './lazy-page.ts';

export function PageNotFound() {
  return (
    <main className="gw-lone">
      <Page title={texts.errors.pageNotFound} lead={texts.errors.pageNotFoundText}>
        <Link to="/" className="gw-link">
          {texts.errors.home}
        </Link>
      </Page>
    </main>
  );
}

export function PageError({ error, reset }: ErrorComponentProps) {
  const isAway = error instanceof ApiError && error.status === 0;
  // A failed module is loaded with the document when the hub is reachable again.
  const retry = async () => {
    if (!isAway) reset();
    else if (await isHubReachable()) location.reload();
  };
  useEffect(() => (isAway ? onHubReachable(() => location.reload()) : undefined), [isAway]);
  return (
    <Page title={texts.errors.title}>
      <div className="gw-card">
        <ErrorPanel error={error} onRetry={() => void retry()} />
      </div>
    </Page>
  );
}

/** A page with a message only: no access, no tenant, a role without pages. */
export function Notice({ title, text }: { title: string; text: string }) {
  return (
    <main className="gw-lone">
      <Page title={title} lead={text}>
        <Link to="/" className="gw-link">
          {texts.errors.home}
        </Link>
      </Page>
    </main>
  );
}

interface NoTenantProps {
  /** The organization of the URL; absent if the user has no organization. */
  tenantId?: string;
  /** A hub of the previous release omits the list. */
  suspended: readonly { tenant_id: string; name: string }[] | undefined;
}

/** Explains why no organization opens: it is suspended, or the user has no access. */
export function NoTenant({ tenantId, suspended = [] }: NoTenantProps) {
  const match = suspended.find(
    ({ tenant_id: id }) => tenantId === undefined || id === tenantId.toLowerCase(),
  );
  if (match !== undefined) {
    const title = texts.errors.suspended(visible(match.name));
    return <Notice title={title} text={texts.errors.suspendedText} />;
  }
  return tenantId === undefined ? (
    <Notice title={texts.product} text={texts.errors.noTenants} />
  ) : (
    <Notice title={texts.errors.noTenant} text={texts.errors.noTenantText} />
  );
}
