// What was decided about what is on this device, and why.
import type { HeldDecision } from '@gatewarden/shared/wire/local/service.ts';
import { texts } from '../texts.ts';
import type { Subject } from './AskDialog.tsx';
import { Answer, Contact, Name, when } from './parts.tsx';
import { useService } from './service.ts';

const t = texts.decisions;
const MAY_BE_ASKED = new Set(['warn', 'block', 'quarantine']);

export function Decisions({
  ask,
  contact,
}: {
  ask: (subject: Subject) => void;
  contact: string | null;
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
                {decisions.map((one) => (
                  <Decision key={one.override_id} decision={one} ask={ask} />
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

function Decision({ decision, ask }: { decision: HeldDecision; ask: (subject: Subject) => void }) {
  const about = describeMatch(decision);
  const { match, execution_policy: policy } = decision;
  const times = [
    ...(decision.effective_at === null ? [] : [t.from(when(decision.effective_at))]),
    ...(decision.expires_at === null ? [] : [t.until(when(decision.expires_at))]),
    ...(decision.in_force ? [] : [t.notNow]),
  ];
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
      <p className="muted">{[t.scopes[decision.scope_kind], ...times].join(' \u00b7 ')}</p>
      {subject !== null && decision.in_force && MAY_BE_ASKED.has(policy) ? (
        <button
          type="button"
          aria-label={texts.ask.openFor(subject.name)}
          onClick={() => ask(subject)}
        >
          {texts.ask.open}
        </button>
      ) : null}
    </li>
  );
}

/** All of a match has to hold. */
function describeMatch({ match, entity_name }: HeldDecision): string {
  const { entity_id, kind, ...others } = match;
  return [
    ...(entity_id === undefined ? [] : [t.match.entity_id(entity_name ?? entity_id)]),
    ...(kind === undefined ? [] : [t.match.kind[kind]]),
    ...(Object.entries(others) as [keyof typeof others, string][]).map(([key, value]) =>
      t.match[key](value),
    ),
  ].join(', ');
}
