// The head of every page: a single h1 that takes the focus after navigation, and the document's title.
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { texts } from '../texts.ts';
import { visible } from './visible.ts';

const TITLE_CHARACTERS = 80;

interface PageProps {
  title: string;
  lead?: ReactNode;
  /** A link back to the list that this page belongs to. */
  crumb?: ReactNode;
  badges?: ReactNode;
  /** Content beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, crumb, badges, actions, children }: PageProps) {
  useEffect(() => {
    const whole = visible(title);
    const short = whole.length > TITLE_CHARACTERS ? `${whole.slice(0, TITLE_CHARACTERS)}…` : whole;
    document.title = `${short} · ${texts.product}`;
  }, [title]);
  return (
    <>
      <div className="gw-page-head">
        <div className="gw-page-title">
          {crumb}
          <h1 tabIndex={-1} data-long={title.length > TITLE_CHARACTERS || undefined}>
            <bdi>{visible(title)}</bdi>
          </h1>
          {lead === undefined ? null : <p>{lead}</p>}
          {badges === undefined ? null : <div className="gw-badges">{badges}</div>}
        </div>
        {actions}
      </div>
      {children}
    </>
  );
}

/** The content of a link back. */
export function CrumbText({ children }: { children: ReactNode }) {
  return (
    <>
      <IconArrowLeft size={16} aria-hidden />
      {children}
    </>
  );
}

interface SectionProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

/** A named part of a page. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className="gw-card gw-section" aria-label={title}>
      {aside === undefined ? (
        <h2>{title}</h2>
      ) : (
        <div className="gw-section-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
