// The window: what state the agent is in, and the pages about this device.
import { type ReactNode, useState } from 'react';
import { stateOf } from '../src/state.ts';
import { texts } from '../texts.ts';
import { AskDialog, type Subject } from './AskDialog.tsx';
import { Decisions } from './Decisions.tsx';
import { Overview } from './Overview.tsx';
import { Running } from './Running.tsx';
import { Sent } from './Sent.tsx';
import { Servers } from './Servers.tsx';
import { useService } from './service.ts';
import { type Asked, WhyDialog } from './WhyDialog.tsx';

const PAGES = ['overview', 'decisions', 'servers', 'running', 'sent'] as const;
type Page = (typeof PAGES)[number];

export function App() {
  const [page, setPage] = useState<Page>('overview');
  const [subject, setSubject] = useState<Subject | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const [status, askAgain] = useService('status');
  const state = stateOf(status?.ok ? status.value : null);
  const contact = status?.ok ? status.value.contact : null;
  const content: Record<Page, () => ReactNode> = {
    overview: () => <Overview status={status} askAgain={askAgain} why={setAsked} />,
    decisions: () => <Decisions ask={setSubject} contact={contact} why={setAsked} />,
    servers: () => <Servers ask={setSubject} contact={contact} why={setAsked} />,
    running: () => <Running ask={setSubject} why={setAsked} />,
    sent: () => <Sent />,
  };
  return (
    <>
      <header>
        <strong>{texts.product}</strong>
        <span className="state" data-state={state} role="status">
          {status === null ? texts.loading : texts.states[state]}
        </span>
      </header>
      <nav aria-label={texts.nav.label}>
        {PAGES.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={name === page ? 'page' : undefined}
            onClick={() => setPage(name)}
          >
            {texts.nav[name]}
          </button>
        ))}
      </nav>
      <main>
        <h1>{texts.nav[page]}</h1>
        <p role="status" className="announcement">
          {announcement}
        </p>
        {content[page]()}
      </main>
      {asked === null ? null : (
        <WhyDialog asked={asked} contact={contact} close={() => setAsked(null)} />
      )}
      {subject === null ? null : (
        <AskDialog
          subject={subject}
          contact={contact}
          close={(sent) => {
            setSubject(null);
            if (!sent) return;
            setAnnouncement(texts.ask.sent(subject.name));
            askAgain();
          }}
        />
      )}
    </>
  );
}
