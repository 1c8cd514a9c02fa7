// Asks for an exception, in the words of who needs it.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { HubResponse } from '../src/contract.ts';
import { texts } from '../texts.ts';
import { Contact, Name, Problem } from './parts.tsx';

const t = texts.ask;
const REASON_MAX = 1000;

/** Subject of the request. */
export type Subject = { name: string } & ({ entityId: string } | { processName: string });

/** Opens the dialog about a subject. */
export function AskButton({ subject, ask }: { subject: Subject; ask: (subject: Subject) => void }) {
  return (
    <button type="button" aria-label={t.openFor(subject.name)} onClick={() => ask(subject)}>
      {t.open}
    </button>
  );
}

export function AskDialog({
  subject,
  contact,
  close,
}: {
  subject: Subject;
  contact: string | null;
  close: (sent: boolean) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [problem, setProblem] = useState<Extract<HubResponse<unknown>, { ok: false }> | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() === '') return;
    const answer = await window.gatewarden.ask('request', {
      entity_id: 'entityId' in subject ? subject.entityId : null,
      process_name: 'processName' in subject ? subject.processName : null,
      reason,
    });
    if (answer.ok) close(true);
    else setProblem(answer);
  };
  return (
    <dialog ref={dialog} aria-labelledby="ask-title" onClose={() => close(false)}>
      <form onSubmit={(event) => void send(event)} noValidate>
        <h2 id="ask-title">{t.title}</h2>
        <p>
          <Name>{subject.name}</Name>
        </p>
        <p className="muted">{t.lead}</p>
        <Contact who={contact} />
        <label htmlFor="ask-reason">{t.reason}</label>
        <textarea
          id="ask-reason"
          rows={4}
          maxLength={REASON_MAX}
          value={reason}
          aria-invalid={isMissing}
          aria-describedby={isMissing ? 'ask-missing' : undefined}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {isMissing ? (
          <p id="ask-missing" className="problem">
            {t.needed}
          </p>
        ) : null}
        {problem === null ? null : <Problem of={problem} />}
        <div className="buttons">
          <button type="submit" className="primary">
            {t.send}
          </button>
          <button type="button" onClick={() => close(false)}>
            {t.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
