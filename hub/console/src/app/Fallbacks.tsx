// What stands in for a page that is missing, broken, or not the person's.
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/client.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Page } from '../ui/Page.tsx';
import { hubAnswers, onHubBack } from './lazy-page.ts';

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
  // What could not be loaded is loaded with the document, once there is somebody to give it.
  const retry = async () => {
    if (!isAway) reset();
    else if (await hubAnswers()) location.reload();
  };
  useEffect(() => (isAway ? onHubBack(() => location.reload()) : undefined), [isAway]);
  return (
    <Page title={texts.errors.title}>
      <div className="gw-card">
        <ErrorPanel error={error} onRetry={() => void retry()} />
      </div>
    </Page>
  );
}

/** A whole page that only says something: no access, no tenant, a role without pages. */
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
