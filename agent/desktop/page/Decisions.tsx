// Lists the policies for applications of this device, with their reasons.
import type { PolicyDecision } from '@gatewarden/shared/wire/local/service.ts';
import { texts } from '../texts.ts';
import { AskButton, type Subject } from './AskDialog.tsx';
import { describeMatch, timesOf } from './decision-words.ts';
import { Answer, Contact, Name } from './parts.tsx';
import { useService } from './service.ts';
import { type AskWhy, WhyButton } from './WhyDialog.tsx';

const t = texts.decisions;
const MAY_BE_ASKED = new Set(['warn', 'block', 'quarantine']);

export function Decisions({
  ask,
  contact,
  why,
}: {
  ask: (subject: Subject) => void;
  contact: string | null;
  why: AskWhy;
}) {
  const [answer] = useService('decisions');
  return (
    <>
      <p className="muted">{t.lead}</p>
      <Contact who={contact} />
      <Answer of={answer}>
        {({ decisions, more }) =>
          decisions.length === 0 ? (
            <p>{t.none}</p>
          ) : (
            <>
              <ul className="rows">
                {decisions.map((row) => (
                  <Decision key={row.override_id} decision={row} ask={ask} why={why} />
                ))}
              </ul>
              {more > 0 ? <p className="muted">{t.more(more)}</p> : null}
            </>
          )
        }
      </Answer>
    </>
  );
}

function Decision({
  decision,
  ask,
  why,
}: {
  decision: PolicyDecision;
  ask: (subject: Subject) => void;
  why: AskWhy;
}) {
  const about = describeMatch(decision);
  const { match, execution_policy: policy } = decision;
  const subject: Subject | null =
    match.entity_id !== undefined
      ? { name: decision.entity_name ?? match.entity_id, entityId: match.entity_id }
      : match.name !== undefined
        ? { name: match.name, processName: match.name }
        : null;
  return (
    <li data-testid="decision">
      <div className="row-head">
        <Name>{about}</Name>
        <span className="badge" data-kind={policy}>
          {t.policies[policy]}
        </span>
      </div>
      <p>{decision.reason === null ? t.noReason : <Name>{decision.reason}</Name>}</p>
      <p className="muted">
        {[t.scopes[decision.scope_kind], ...timesOf(decision)].join(' \u00b7 ')}
      </p>
      <div className="row-buttons">
        <WhyButton asked={{ name: about, about: decision.override_id }} why={why} />
        {subject !== null && decision.in_force && MAY_BE_ASKED.has(policy) ? (
          <AskButton subject={subject} ask={ask} />
        ) : null}
      </div>
    </li>
  );
}
