// The opened trace: from the process to the author of the policy, with the audit events.
import type { WhyAnswer } from '@gatewarden/shared/wire/console/why.ts';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useResource, useTenant } from '../api/tenant.ts';
import { lazyPage } from '../app/lazy-page.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { matchLabel, ScopeText } from '../policies/MatchText.tsx';
import { PolicyStepBadge } from '../policies/PolicyStepBadge.tsx';
import { texts } from '../texts.ts';
import { PolicyBadge } from '../ui/Badges.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { type Chain, chainAt } from './address.ts';
import { Step, Trail } from './Trail.tsx';
import { whyTexts as words } from './texts.ts';
import './why.css';

// Traces of calls are loaded on demand, because they are opened rarely.
const CallWhy = lazyPage(() => import('./CallWhy.tsx'), 'CallWhy');
const OwnCallWhy = lazyPage(() => import('./OwnCallWhy.tsx'), 'OwnCallWhy');
const RequestWhy = lazyPage(() => import('./RequestWhy.tsx'), 'RequestWhy');

const CHAINS_OF_CALLS = {
  call: CallWhy,
  'own-call': OwnCallWhy,
  request: RequestWhy,
  'own-request': RequestWhy,
};

/** Opens over any page with `why` in its address. */
export function WhyDialog() {
  const { why } = useSearch({ strict: false });
  const navigate = useNavigate();
  if (why === undefined) return null;
  return (
    <Dialog
      key={why}
      title={/^((own-)?call|(own-)?request)\./.test(why) ? words.titleOfCall : words.title}
      wide
      onTop
      onClosed={() =>
        void navigate({
          to: '.',
          search: ({ why: _closed, ...former }) => former,
          replace: true,
          resetScroll: false,
        })
      }
    >
      {() => <AtAddress address={why} />}
    </Dialog>
  );
}

function AtAddress({ address }: { address: string }) {
  const chain = chainAt(address);
  if (chain === null) return <Empty title={words.unknown} />;
  if (chain.about === 'decision') return <ChainOf {...chain} />;
  const Of = CHAINS_OF_CALLS[chain.about];
  return (
    <Suspense fallback={null}>
      <Of {...chain} />
    </Suspense>
  );
}

function ChainOf({ path, topic }: Chain) {
  const answer = useResource<WhyAnswer>(topic, path);
  const shown = shownOf(answer);
  return (
    <>
      <Waiting answer={answer} />
      {shown ? <Steps why={shown} /> : null}
    </>
  );
}

function Steps({ why }: { why: WhyAnswer }) {
  const { tenantId, role } = useTenant();
  const { happened, process, application, override, mapping } = why;
  // Members see the trace of their own call, and cannot open the pages that it is about.
  const isMember = role === 'Member';
  return (
    <ol className="gw-why" data-testid="why">
      {happened === null ? null : (
        <Step name={words.happened}>
          {happened.decision === null ? null : <PolicyBadge policy={happened.decision} />}{' '}
          <Name value={happened.outcome} /> {words.on} <Name value={happened.hostname} />,{' '}
          <Time at={happened.at} full />
        </Step>
      )}
      {process === null ? null : (
        <Step name={words.process}>
          <Name value={process.name} />{' '}
          <span className="gw-dimmed gw-small">
            <Name value={process.executable_path} mono />
          </span>
          {mapping === null ? null : (
            <div className="gw-small">
              {words.mapped}{' '}
              {isMember ? (
                <Name value={mapping.process_name} mono />
              ) : (
                <Link
                  to="/t/$tenantId/inventory/unidentified-processes"
                  params={{ tenantId }}
                  className="gw-link"
                >
                  <Name value={mapping.process_name} mono />
                </Link>
              )}{' '}
              → <Name value={mapping.application_name} />
            </div>
          )}
        </Step>
      )}
      {application === null ? null : (
        <Step name={words.application}>
          <ApplicationLink
            entityId={isMember ? null : application.entity_id}
            name={application.name}
          />
          {application.entity_id === null ? null : (
            <div className="gw-dimmed gw-small">
              <Name value={application.entity_id} mono />
            </div>
          )}
        </Step>
      )}
      {override === null ? (
        <Step name={words.decision}>{words.nothing}</Step>
      ) : (
        <Decision
          override={override}
          name={application?.entity_id === override.match.entity_id ? application?.name : undefined}
          granted={why.access_request_id !== null}
        />
      )}
      {override === null ? null : (
        <Step name={words.audit}>
          <Trail events={why.events} />
        </Step>
      )}
    </ol>
  );
}

function Decision({
  override,
  name,
  granted,
}: {
  override: NonNullable<WhyAnswer['override']>;
  /** The displayed name of the app. */
  name: string | undefined;
  granted: boolean;
}) {
  const { tenantId, role } = useTenant();
  return (
    <>
      <Step name={words.decision}>
        <span className="gw-inline-badges">
          <PolicyStepBadge policy={override} />
        </span>{' '}
        <Name value={matchLabel(override.match, name)} clamp />
        <div className="gw-dimmed gw-small">
          {/* Of one's own devices, and by a hub of the release before, only the kind is named. */}
          {override.scope ? (
            <ScopeText scope={override.scope} />
          ) : (
            texts.decide.scopes[override.scope_kind]
          )}{' '}
          · {words.revision(override.revision)} ·{' '}
          {role === 'Member' ? (
            <Name value={override.override_id} mono />
          ) : (
            <Link
              to="/t/$tenantId/policies"
              params={{ tenantId }}
              search={{ override_id: override.override_id }}
              className="gw-link"
            >
              <Name value={override.override_id} mono />
            </Link>
          )}
        </div>
        {override.deleted ? <div>{words.withdrawn}</div> : null}
        {override.default_kind === null ? null : <div>{words.standard}</div>}
        {override.drift_hold ? <div>{words.drift}</div> : null}
        {granted ? <div>{words.exception}</div> : null}
      </Step>
      <Step name={words.reason}>
        {override.reason === null ? (
          <span className="gw-dimmed">{words.noReason}</span>
        ) : (
          <Name value={override.reason} />
        )}
      </Step>
      <Step name={words.decidedBy}>
        <Name value={override.decided_by} /> <Time at={override.decided_at} full />
      </Step>
    </>
  );
}
