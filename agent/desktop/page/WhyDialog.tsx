// Why something may run or may not: the service's chain, with the ids by which the console knows it.
import type { PolicyDecision, Why } from '@gatewarden/shared/wire/local/service.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { HubResponse } from '../src/contract.ts';
import { texts } from '../texts.ts';
import { describeMatch, timesOf } from './decision-words.ts';
import { Answer, Contact, Fact, Facts, Name, Time } from './parts.tsx';

const t = texts.why;

/** Subject of the question, and its name for users. */
export interface Asked {
  name: string;
  about: string;
}
export type AskWhy = (asked: Asked) => void;

export function WhyButton({ asked, why }: { asked: Asked; why: AskWhy }) {
  return (
    <button type="button" aria-label={t.openFor(asked.name)} onClick={() => why(asked)}>
      {t.open}
    </button>
  );
}

export function WhyDialog({
  asked,
  contact,
  close,
}: {
  asked: Asked;
  contact: string | null;
  close: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [answer, setAnswer] = useState<HubResponse<Why> | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    let isGone = false;
    void window.gatewarden.ask('why', { asked: asked.about }).then((chain) => {
      if (!isGone) setAnswer(chain);
    });
    return () => {
      isGone = true;
    };
  }, [asked.about]);
  return (
    <dialog ref={dialog} aria-labelledby="why-title" onClose={close}>
      <h2 id="why-title">
        <Name>{t.title(asked.name)}</Name>
      </h2>
      <Answer of={answer}>{(why) => <Chain why={why} />}</Answer>
      <Contact who={contact} />
      <div className="buttons">
        <button type="button" className="primary" onClick={close}>
          {t.close}
        </button>
      </div>
    </dialog>
  );
}

function Chain({ why: { enforcement, processes, notices, servers, decisions } }: { why: Why }) {
  if (processes.length + notices.length + servers.length + decisions.length === 0) {
    return <p>{t.nothing}</p>;
  }
  const mode = t.notCarried[enforcement];
  return (
    <>
      {processes.map((process) => (
        <Link key={process.pid} title={t.runs}>
          <Fact label={t.process}>
            <Name>{process.executable_path ?? process.name}</Name> {'\u00b7'}{' '}
            {texts.running.pid(process.pid)}
          </Fact>
          <Belongs name={process.application_name} id={process.entity_id} />
          {process.protected === null ? null : (
            <Fact label={t.protected}>{texts.running.protected}</Fact>
          )}
          <Decided id={process.override_id} policy={process.decision} override={process.override} />
          {process.override_id === null || mode === '' ? null : (
            <Fact label={t.carried}>{mode}</Fact>
          )}
        </Link>
      ))}
      {notices.map((notice) => (
        <Link key={notice.notice_id} title={t.happened}>
          <Fact label={texts.overview.kinds[notice.kind]}>
            <Name>{notice.process_name}</Name> {'\u00b7'} <Time at={notice.at} />
          </Fact>
          <Belongs name={notice.application_name} id={notice.entity_id} />
          <Decided id={notice.override_id} policy={null} override={notice.override} />
        </Link>
      ))}
      {servers.map((server) => (
        <Link key={server.entity_id} title={t.server}>
          <Belongs label={t.called} name={server.name} id={server.entity_id} />
          {server.taken_out ? (
            <Fact label={texts.decisions.policies.quarantine}>{texts.servers.takenOut}</Fact>
          ) : null}
          <Decided
            id={server.override?.override_id ?? null}
            policy={server.decision}
            override={server.override}
          />
        </Link>
      ))}
      {decisions.map((decision) => (
        <Link key={decision.override_id} title={t.decided}>
          <Decided
            id={decision.override_id}
            policy={decision.execution_policy}
            override={decision}
          />
        </Link>
      ))}
    </>
  );
}

function Link({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section data-testid="why">
      <h3>{title}</h3>
      <Facts>{children}</Facts>
    </section>
  );
}

function Belongs({
  label = t.belongs,
  name,
  id,
}: {
  label?: string;
  name: string | null;
  id: string | null;
}) {
  return (
    <Fact label={label}>
      {name === null ? t.unknown : <Name>{name}</Name>}
      {id === null ? null : (
        <small>
          <Name>{t.entity(id)}</Name>
        </small>
      )}
    </Fact>
  );
}

function Decided({
  id,
  policy,
  override,
}: {
  id: string | null;
  /** The policy in force now; null: only the policy of the decision itself is shown. */
  policy: PolicyDecision['execution_policy'] | null;
  override: PolicyDecision | null;
}) {
  if (id === null) return <Fact label={t.decision}>{t.undecided}</Fact>;
  const shown = policy ?? override?.execution_policy ?? null;
  return (
    <>
      {shown === null ? null : (
        <Fact label={t.decision}>
          <span className="badge" data-kind={shown}>
            {texts.decisions.policies[shown]}
          </span>
        </Fact>
      )}
      {override === null ? (
        <Fact label={t.ids}>
          {t.noDecision}
          <small>
            <Name>{id}</Name>
          </small>
        </Fact>
      ) : (
        <>
          <Fact label={t.about}>
            <Name>{describeMatch(override)}</Name>
          </Fact>
          <Fact label={t.scope}>{texts.decisions.scopes[override.scope_kind]}</Fact>
          <Fact label={t.status}>{texts.servers.statuses[override.approval_status]}</Fact>
          <Fact label={t.reason}>
            {override.reason === null ? texts.decisions.noReason : <Name>{override.reason}</Name>}
          </Fact>
          {timesOf(override).length === 0 ? null : (
            <Fact label={t.times}>{timesOf(override).join(' \u00b7 ')}</Fact>
          )}
          <Fact label={t.ids}>
            <Name>{t.id(override.override_id, override.revision)}</Name>
          </Fact>
        </>
      )}
    </>
  );
}
