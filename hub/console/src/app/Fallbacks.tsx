// What stands in for a page that is missing, broken, or not the person's.
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Page } from '../ui/Page.tsx';

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
  return (
    <Page title={texts.errors.title}>
      <div className="gw-card">
        <ErrorPanel error={error} onRetry={reset} />
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
