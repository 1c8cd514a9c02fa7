// Small pieces of all pages.
import type { ReactNode } from 'react';
import type { HubResponse } from '../src/contract.ts';
import { texts } from '../texts.ts';

/** Names come from machines: the isolation keeps them from reordering the text around them. */
export function Name({ children }: { children: string }) {
  return <bdi className="name">{children}</bdi>;
}

export function Time({ at }: { at: string | null }) {
  if (at === null) return <>{texts.overview.never}</>;
  return <time dateTime={at}>{when(at)}</time>;
}

export function when(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Shows the company's contact for questions. */
export function Contact({ who }: { who: string | null }) {
  return who === null ? null : (
    <p data-testid="contact">
      <Name>{texts.contact(who)}</Name>
    </p>
  );
}

/** Shows the service's answer, or its error. */
export function Answer<T>({
  of,
  children,
}: {
  of: HubResponse<T> | null;
  children: (value: T) => ReactNode;
}) {
  if (of === null) return <p className="muted">{texts.loading}</p>;
  return of.ok ? children(of.value) : <Problem of={of} />;
}

export function Problem({ of }: { of: Extract<HubResponse<unknown>, { ok: false }> }) {
  const text = texts.problems[of.problem];
  return (
    <p role="alert" className="problem">
      {typeof text === 'string' ? text : text(of.why)}
    </p>
  );
}
