// The trace of an LLM request: its node, its app, and the app's configuration of that time with its author.
import type { LlmWhy } from '@gatewarden/shared/wire/console/call-why.ts';
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { RequestOutcome, RequestReasons } from '../logs/RequestOutcome.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import type { Chain } from './address.ts';
import { callWhyTexts as t } from './call-texts.ts';
import { ReadChain } from './ReadChain.tsx';
import { SentByText } from './SentByText.tsx';
import { Step, Trail } from './Trail.tsx';

/** The trace of the request in the address. */
export function RequestWhy({ path, topic, about }: Chain) {
  // A user without a role sees no page of the app.
  const isOwn = about === 'own-request';
  return (
    <ReadChain<LlmWhy> path={path} topic={topic}>
      {(why) => (
        <>
          <TheRequest request={why.request} />
          <TheApp why={why} isOwn={isOwn} />
          <Configuration why={why} isOwn={isOwn} />
        </>
      )}
    </ReadChain>
  );
}

function TheRequest({ request }: { request: LlmWhy['request'] }) {
  return (
    <>
      <Step name={t.request}>
        <Name value={request.user_email} /> ·{' '}
        <Name value={[request.provider, request.model].filter(Boolean).join(' · ')} /> ·{' '}
        <Time at={request.timestamp} full />
        <SentByText sentBy={request.sent_by} />
      </Step>
      <Step name={t.outcome}>
        <RequestOutcome item={request} />
        {request.reasons.length === 0 ? (
          <div className="gw-dimmed">{t.noGuardrail}</div>
        ) : (
          <RequestReasons reasons={request.reasons} />
        )}
      </Step>
    </>
  );
}

interface PartProps {
  why: LlmWhy;
  isOwn: boolean;
}

function TheApp({ why: { app }, isOwn }: PartProps) {
  const { tenantId } = useTenant();
  return (
    <Step name={t.app}>
      {app.now === null ? (
        <>
          <Name value={app.name} />
          <div>{app.app_id === null ? t.unknownApp : t.appGone}</div>
        </>
      ) : (
        <>
          {isOwn ? (
            <Name value={app.now.name} />
          ) : (
            <Link
              to="/t/$tenantId/gateway/apps/$appName"
              params={{ tenantId, appName: app.now.name }}
              className="gw-link"
            >
              <Name value={app.now.name} />
            </Link>
          )}{' '}
          · {app.now.enabled ? t.enabled : t.disabled}
        </>
      )}
    </Step>
  );
}

function Configuration({
  why: { app, configuration: entry, policy_authority: policy },
  isOwn,
}: PartProps) {
  const { tenantId } = useTenant();
  if (entry === null) return null;
  const name = entry.version_id === null ? t.asCreated : t.configurationVersion(entry.version);
  return (
    <>
      <Step name={t.configuration}>
        {isOwn || app.now === null || entry.version_id === null ? (
          name
        ) : (
          <Link
            to="/t/$tenantId/gateway/apps/$appName"
            params={{ tenantId, appName: app.now.name }}
            search={{ tab: 'versions', version: entry.version_id }}
            className="gw-link"
          >
            {name}
          </Link>
        )}{' '}
        · {t.newer(entry.newer)}
        {entry.changed.length === 0 ? null : (
          <div>
            {t.changedThere} <Name value={entry.changed.join(', ')} mono />
          </div>
        )}
        <div className="gw-dimmed gw-small">{t.configurationLead}</div>
        {policy.enabled ? (
          <div>
            {t.authority}
            {policy.active_revision === null ? null : (
              <>
                {' '}
                {t.revision} <Name value={policy.active_revision} mono />
              </>
            )}
          </div>
        ) : null}
      </Step>
      <Step name={t.made}>
        <Trail events={entry.made === null ? [] : [entry.made]} />
      </Step>
    </>
  );
}
