// The window: what state the agent is in, and the four pages about this device.
import { type ReactNode, useState } from 'react';
import { stateOf } from '../src/state.ts';
import { texts } from '../texts.ts';
import { AskDialog, type Subject } from './AskDialog.tsx';
import { Decisions } from './Decisions.tsx';
import { Overview } from './Overview.tsx';
import { Running } from './Running.tsx';
import { Sent } from './Sent.tsx';
import { useService } from './service.ts';

const PAGES = ['overview', 'decisions', 'running', 'sent'] as const;
type Page = (typeof PAGES)[number];

export function App() {
  const [page, setPage] = useState<Page>('overview');
  const [subject, setSubject] = useState<Subject | null>(null);
  const [said, setSaid] = useState('');
  const [status, askAgain] = useService('status');
  const state = stateOf(status?.ok ? status.value : null);
  const contact = status?.ok ? status.value.contact : null;
  const content: Record<Page, () => ReactNode> = {
    overview: () => <Overview status={status} askAgain={askAgain} />,
    decisions: () => <Decisions ask={setSubject} contact={contact} />,
    running: () => <Running ask={setSubject} />,
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
        {PAGES.map((one) => (
          <button
            key={one}
            type="button"
            aria-current={one === page ? 'page' : undefined}
            onClick={() => setPage(one)}
          >
            {texts.nav[one]}
          </button>
        ))}
      </nav>
      <main>
        <h1>{texts.nav[page]}</h1>
        <p role="status" className="said">
          {said}
        </p>
        {content[page]()}
      </main>
      {subject === null ? null : (
        <AskDialog
          subject={subject}
          contact={contact}
          close={(sent) => {
            setSubject(null);
            if (!sent) return;
            setSaid(texts.ask.sent(subject.name));
            askAgain();
          }}
        />
      )}
    </>
  );
}
