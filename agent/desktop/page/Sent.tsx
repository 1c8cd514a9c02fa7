// The data that is sent about this device, as it is sent. Loaded once: it is long, and changes with the next scan
// only.
import type { Seen, SeenEntity } from '@gatewarden/shared/wire/local/service.ts';
import { useState } from 'react';
import { texts } from '../texts.ts';
import { Answer, Fact, Facts, Name, Time } from './parts.tsx';
import { Search, shownOf } from './Search.tsx';
import { useService } from './service.ts';

const t = texts.sent;

export function Sent() {
  const [answer, askAgain] = useService('seen', true);
  return (
    <>
      <p className="muted">{t.lead}</p>
      <Answer of={answer}>{(seen) => <What seen={seen} />}</Answer>
      <button type="button" onClick={askAgain}>
        {t.refresh}
      </button>
    </>
  );
}

function What({ seen }: { seen: Seen }) {
  const [wanted, setWanted] = useState('');
  const { shown, count } = shownOf(seen.entities, wanted, ({ wire }) => [
    wire.name,
    wire.source,
    t.kinds[wire.kind],
  ]);
  const fields = Object.keys(t.fields) as (keyof typeof t.fields)[];
  return (
    <>
      <section>
        <h2>{t.device}</h2>
        <Facts>
          {fields.map((field) => (
            <Fact key={field} label={t.fields[field]}>
              <Name>{seen.device[field]}</Name>
            </Fact>
          ))}
        </Facts>
      </section>
      <section>
        <h2>{t.entities}</h2>
        {seen.scanned_at === null ? (
          <p>{t.none}</p>
        ) : (
          <p className="muted">
            <Time at={seen.scanned_at} />
          </p>
        )}
        <Search label={t.search} {...{ wanted, setWanted, count, shown: shown.length }} />
        <ul className="rows">
          {shown.map((entity) => (
            <Entity key={entity.wire.entity_id} seen={entity} />
          ))}
        </ul>
      </section>
      <section>
        <h2>{t.coverage}</h2>
        <ul className="plain">
          {seen.coverage.map((row) => (
            <li key={`${row.source} ${row.owner}`}>
              {row.source}, {row.owner === null ? t.machine : t.own}:{' '}
              {t.states[row.state] ?? row.state}
              {row.reason ? (
                <>
                  {': '}
                  <Name>{row.reason}</Name>
                </>
              ) : null}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function Entity({ seen: { wire, shared_with_others } }: { seen: SeenEntity }) {
  return (
    <li data-testid="entity">
      <div className="row-head">
        <Name>{wire.name}</Name>
        <span className="muted">{wire.version}</span>
      </div>
      <p className="muted">
        {t.kinds[wire.kind]} {'\u00b7'} {wire.source}
        {shared_with_others ? ` \u00b7 ${t.shared}` : null}
      </p>
      <details>
        <summary>{t.exact}</summary>
        <pre dir="ltr">{JSON.stringify(wire, null, 2)}</pre>
      </details>
    </li>
  );
}
