// This person's own programs that run now, what is decided about each, and asking for an exception.

import type { ListedProcess } from '@gatewarden/shared/wire/local/service.ts';
import { EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { useState } from 'react';
import { texts } from '../texts.ts';
import { AskButton, type Subject } from './AskDialog.tsx';
import { Answer, Name } from './parts.tsx';
import { Search, shownOf } from './Search.tsx';
import { useService } from './service.ts';
import { type AskWhy, WhyButton } from './WhyDialog.tsx';

const t = texts.running;

export function Running({ ask, why }: { ask: (subject: Subject) => void; why: AskWhy }) {
  const [answer] = useService('processes');
  const [wanted, setWanted] = useState('');
  return (
    <>
      <p className="muted">{t.lead}</p>
      <Answer of={answer}>
        {({ processes }) => {
          if (processes.length === 0) return <p>{t.none}</p>;
          const { shown, count } = shownOf(
            processes.toSorted(strictestFirst),
            wanted,
            (process) => [
              process.name,
              process.application_name ?? '',
              process.executable_path ?? '',
            ],
          );
          return (
            <>
              <Search label={t.search} {...{ wanted, setWanted, count, shown: shown.length }} />
              <ul className="rows">
                {shown.map((row) => (
                  <Process key={row.pid} process={row} ask={ask} why={why} />
                ))}
              </ul>
            </>
          );
        }}
      </Answer>
    </>
  );
}

function Process({
  process,
  ask,
  why,
}: {
  process: ListedProcess;
  ask: (subject: Subject) => void;
  why: AskWhy;
}) {
  const { application_name: application, entity_id: entityId, name, decision } = process;
  const subject: Subject =
    entityId === null ? { name, processName: name } : { name: application ?? name, entityId };
  const isRestricted = decision !== 'allow' && decision !== 'monitor';
  return (
    <li data-testid="process">
      <div className="row-head">
        <Name>{application ?? name}</Name>
        <span className="badge" data-kind={decision}>
          {texts.decisions.policies[decision]}
        </span>
      </div>
      <p className="muted">
        <Name>{process.executable_path ?? name}</Name> {'\u00b7'} {t.pid(process.pid)}
        {process.protected === null ? null : ` \u00b7 ${t.protected}`}
      </p>
      <div className="row-buttons">
        <WhyButton asked={{ name: subject.name, about: String(process.pid) }} why={why} />
        {isRestricted ? <AskButton subject={subject} ask={ask} /> : null}
      </div>
    </li>
  );
}

function strictestFirst(a: ListedProcess, b: ListedProcess): number {
  const rank = ({ decision }: ListedProcess) => EXECUTION_POLICIES.indexOf(decision);
  return rank(b) - rank(a) || a.pid - b.pid;
}
