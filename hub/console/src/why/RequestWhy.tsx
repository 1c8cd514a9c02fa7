// The chain of an LLM request: its node, its app, and the configuration of that which stood then, with who made it.
import type { LlmWhy } from '@gatewarden/shared/wire/console/call-why.ts';
import { Link } from '@tanstack/react-router';
import { useResource, useTenant } from '../api/tenant.ts';
import { logTexts } from '../logs/texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import type { Chain } from './address.ts';
import { callWhyTexts as t } from './call-texts.ts';
import { SentByText } from './SentByText.tsx';
import { Step, Trail } from './Trail.tsx';

/** Of the request that the URL names. */
export function RequestWhy({ path, topic, about }: Chain) {
  const answer = useResource<LlmWhy>(topic, path);
  const why = shownOf(answer);
  // Whose request it is may have no page of the app.
  const isOwn = about === 'own-request';
  return (
    <>
      <Waiting answer={answer} />
      {why ? (
        <ol className="gw-why" data-testid="why">
          <TheRequest request={why.request} />
          <TheApp why={why} isOwn={isOwn} />
          <Configuration why={why} isOwn={isOwn} />
        </ol>
      ) : null}
    </>
  );
}

function TheRequest({ request }: { request: LlmWhy['request'] }) {
  const { is_blocked, is_anonymized, is_failed, status_code, reasons } = request;
  const isPlain = !is_blocked && !is_anonymized && !is_failed;
  return (
    <>
      <Step name={t.request}>
        <Name value={request.user_email} /> ·{' '}
        <Name value={[request.provider, request.model].filter(Boolean).join(' · ')} /> ·{' '}
        <Time at={request.timestamp} full />
        <SentByText sentBy={request.sent_by} />
      </Step>
      <Step name={t.outcome}>
        {is_blocked ? <Badge tone="bad">{logTexts.blocked}</Badge> : null}
        {is_anonymized ? <Badge tone="warn">{logTexts.anonymized}</Badge> : null}
        {is_failed ? (
          <Badge tone="warn">
            {logTexts.failed} {status_code}
          </Badge>
        ) : null}
        {isPlain ? <Badge tone="good">{logTexts.passed}</Badge> : null}
        {reasons.length === 0 ? (
          <div className="gw-dimmed">{t.noGuardrail}</div>
        ) : (
          reasons.map(({ action, category, subcategories }) => (
            <div key={`${action}/${category}`}>
              <Name
                value={[action, category, subcategories.join(', ')].filter(Boolean).join(' · ')}
              />
            </div>
          ))
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
  why: { app, configuration: one, policy_authority: policy },
  isOwn,
}: PartProps) {
  const { tenantId } = useTenant();
  if (one === null) return null;
  const name = one.version_id === null ? t.asCreated : t.configurationVersion(one.version);
  return (
    <>
      <Step name={t.configuration}>
        {isOwn || app.now === null || one.version_id === null ? (
          name
        ) : (
          <Link
            to="/t/$tenantId/gateway/apps/$appName"
            params={{ tenantId, appName: app.now.name }}
            search={{ tab: 'versions', version: one.version_id }}
            className="gw-link"
          >
            {name}
          </Link>
        )}{' '}
        · {t.newer(one.newer)}
        {one.changed.length === 0 ? null : (
          <div>
            {t.changedThere} <Name value={one.changed.join(', ')} mono />
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
        <Trail events={one.made === null ? [] : [one.made]} />
      </Step>
    </>
  );
}
