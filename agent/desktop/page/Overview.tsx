// How the agent is, and what it did to this person's programs.
import type { AgentStatus, Notice } from '@gatewarden/shared/wire/local/service.ts';
import { hubStateOf } from '../src/state.ts';
import { texts } from '../texts.ts';
import { Pause } from './Pause.tsx';
import { Answer, Contact, Fact, Facts, Name, Time } from './parts.tsx';
import { type StatusAnswer, useService } from './service.ts';
import { type AskWhy, WhyButton } from './WhyDialog.tsx';

const t = texts.overview;

export function Overview({
  status,
  askAgain,
  why,
}: {
  status: StatusAnswer;
  askAgain: () => void;
  why: AskWhy;
}) {
  const [notices] = useService('notices');
  return (
    <>
      <Answer of={status}>{(value) => <State status={value} />}</Answer>
      {status?.ok ? <Pause pause={status.value.pause} changed={askAgain} /> : null}
      {status?.ok ? (
        <section>
          <h2>{t.happened}</h2>
          <Contact who={status.value.contact} />
          <Answer of={notices}>
            {({ notices }) =>
              notices.length === 0 ? (
                <p className="muted">{t.nothingHappened}</p>
              ) : (
                <ul className="rows">
                  {notices.toReversed().map((row) => (
                    <Happened key={row.notice_id} notice={row} why={why} />
                  ))}
                </ul>
              )
            }
          </Answer>
        </section>
      ) : null}
    </>
  );
}

function State({ status }: { status: AgentStatus }) {
  const { hub, last_scan: scan } = status;
  const hubState = hubStateOf(hub);
  const waiting = [
    ...(status.alerts_queued > 0 ? [t.alerts(status.alerts_queued)] : []),
    ...(status.requests_queued > 0 ? [t.requests(status.requests_queued)] : []),
    ...(status.inventory_queued ? [t.inventory] : []),
  ];
  return (
    <>
      {status.breaker === 'open' ? (
        <p role="alert" className="problem">
          {t.breaker}
        </p>
      ) : null}
      <Facts>
        <Fact label={t.mode}>
          {t.modes[status.enforcement]}
          {status.limited_by.map((limit) => (
            <small key={limit}>{t.limits[limit]}</small>
          ))}
        </Fact>
        <Fact label={t.hub}>
          <Name>{hub.url}</Name> {t.hubStates[hubState]}
          {hub.last_error === null || hubState === 'reached' ? null : (
            <small>
              <Name>{hub.last_error}</Name>
            </small>
          )}
        </Fact>
        <Fact label={t.lastContact}>
          <Time at={hub.last_contact_at} />
        </Fact>
        <Fact label={t.lastScan}>
          <Time at={scan?.at ?? null} />
          {scan === null ? null : ` \u00b7 ${t.found(scan.entities)}`}
        </Fact>
        <Fact label={t.waiting}>{waiting.length === 0 ? t.nothingWaits : waiting.join(', ')}</Fact>
        {status.alerts_dropped > 0 ? <Fact label={t.dropped}>{status.alerts_dropped}</Fact> : null}
        <Fact label={t.version}>{status.agent_version}</Fact>
        <Fact label={t.device}>
          <code>{status.device_id}</code>
        </Fact>
      </Facts>
    </>
  );
}

function Happened({ notice, why }: { notice: Notice; why: AskWhy }) {
  return (
    <li data-testid="notice">
      <div className="row-head">
        <Name>{notice.application_name}</Name>
        <span className="badge" data-kind={notice.kind}>
          {t.kinds[notice.kind]}
        </span>
      </div>
      <p>{notice.reason === null ? texts.decisions.noReason : <Name>{notice.reason}</Name>}</p>
      <p className="muted">
        <Time at={notice.at} />
      </p>
      <WhyButton asked={{ name: notice.application_name, about: notice.override_id }} why={why} />
    </li>
  );
}
