// The trace of a tool call: caller, server, the policies that decided then and now, and their authors.
import type { CallRuleLink, ToolCallWhy } from '@gatewarden/shared/wire/console/call-why.ts';
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import type { Chain } from './address.ts';
import { callWhyTexts as t } from './call-texts.ts';
import { ReadChain } from './ReadChain.tsx';
import { SentByText } from './SentByText.tsx';
import { Step, Trail, TrailEventText } from './Trail.tsx';

/** The trace of the call in the address. */
export function CallWhy({ path, topic }: Chain) {
  return (
    <ReadChain<ToolCallWhy> path={path} topic={topic}>
      {(why) => (
        <>
          <TheCall call={why.call} />
          <Caller caller={why.caller} />
          <Server server={why.server} />
          <Tool why={why} />
          <Access why={why} />
          <CallRules why={why} />
          <Approval approval={why.approval} />
        </>
      )}
    </ReadChain>
  );
}

const TONES: Partial<Record<ToolCallWhy['call']['outcome'], Tone>> = {
  passed: 'good',
  blocked: 'bad',
  failed: 'warn',
  tool_error: 'warn',
};

/** The outcome, and the message that the caller got. */
export function TheCall({ call }: { call: ToolCallWhy['call'] }) {
  return (
    <Step name={t.call}>
      <Badge tone={TONES[call.outcome] ?? 'plain'}>{t.outcomes[call.outcome]}</Badge>{' '}
      <Time at={call.at} full />
      {call.message === null ? null : (
        <div>
          {t.told} <Name value={call.message} />
        </div>
      )}
      <SentByText sentBy={call.sent_by} />
    </Step>
  );
}

/** The approval of the call, if there was one. */
export function Approval({ approval }: Pick<ToolCallWhy, 'approval'>) {
  if (approval === null) return null;
  return (
    <Step name={t.approval}>
      {t.approvedBy} <Name value={approval.by} /> <Time at={approval.at} full />
      <Trail events={approval.events} />
    </Step>
  );
}

/** A finding of a guardrail, and whether it decided. */
export function Decided({ found }: { found: CallRuleLink['found'] }) {
  return found.some((item) => item.action === 'block') ? (
    <strong>{t.decided}</strong>
  ) : (
    t.foundSomething
  );
}

/** The findings of a guardrail. */
export function Found({ found }: { found: CallRuleLink['found'] }) {
  return found.map((item) => (
    <div key={`${item.side}/${item.action}/${item.category}`}>
      <Name value={`${item.action} · ${item.category}`} /> · {t.sides[item.side]}
    </div>
  ));
}

function Caller({ caller }: { caller: ToolCallWhy['caller'] }) {
  const { tenantId } = useTenant();
  const { email, via, agent, role, token } = caller;
  return (
    <Step name={t.caller}>
      {email === null ? (
        via === 'passthrough' ? (
          t.nobody
        ) : (
          t.nobodyNamed
        )
      ) : (
        <>
          <Name value={email} />
          {via === null ? null : (
            <>
              , <Name value={t.via[via] ?? via} />
            </>
          )}{' '}
          · {role === null ? t.noRole : t.role(role)} ·{' '}
          <Link
            to="/t/$tenantId/gateway/mcp-access"
            params={{ tenantId }}
            search={{ email }}
            className="gw-link"
          >
            {t.may}
          </Link>
        </>
      )}
      {agent === null ? null : (
        <div className="gw-dimmed gw-small">
          {t.agent} <Name value={agent} mono />
        </div>
      )}
      {token === null ? null : (
        <div>
          {t.token} <Name value={token.name} /> ({t.tokenStates[token.stands]}), {t.madeBy}{' '}
          <Name value={token.made_by} />
          <Trail events={token.events} />
        </div>
      )}
    </Step>
  );
}

function Server({ server }: { server: ToolCallWhy['server'] }) {
  const { tenantId } = useTenant();
  const { backend_id: backendId, now, version_then: then } = server;
  if (backendId === null) {
    return (
      <Step name={t.server}>
        <Name value={server.name} /> <div>{t.noServer}</div>
      </Step>
    );
  }
  return (
    <Step name={t.server}>
      {now === null ? (
        <>
          <Name value={server.name} /> <div>{t.serverGone}</div>
        </>
      ) : (
        <>
          <Link
            to="/t/$tenantId/gateway/mcp-servers/$backendId"
            params={{ tenantId, backendId }}
            className="gw-link"
          >
            <Name value={now.name} />
          </Link>{' '}
          · {now.enabled ? t.enabled : t.disabled} · {t.drift[now.drift]}
          <div>
            {then === null ? t.versionUnknown(now.version) : t.version(then, now.version)}{' '}
            {now.allow === null && now.deny === null ? t.offersAll : null}
          </div>
          <Tools name={t.onlyOffers} tools={now.allow} />
          <Tools name={t.neverOffers} tools={now.deny} />
        </>
      )}
      <Trail events={server.events} />
    </Step>
  );
}

function Tools({ name, tools }: { name: string; tools: readonly string[] | null }) {
  if (tools === null) return null;
  return (
    <div>
      {name} <Name value={tools.join(', ')} mono />
    </div>
  );
}

function Tool({ why: { call, tool, server } }: { why: ToolCallWhy }) {
  if (call.method !== null) {
    return (
      <Step name={t.asked}>
        <Name value={call.method} mono />
      </Step>
    );
  }
  return (
    <Step name={t.tool}>
      <Name value={tool.name} mono />
      {server.now === null ? null : (
        <>
          <div>{tool.review === null ? t.neverReviewed : t.reviews[tool.review]}</div>
          {tool.review === null ? null : (
            <div>
              {t.approvedThen}{' '}
              {tool.approved === null ? t.noApproval : <TrailEventText event={tool.approved} />}
            </div>
          )}
          {tool.approved_since === null ? null : (
            <div>
              {t.approvedSince} <TrailEventText event={tool.approved_since} />
            </div>
          )}
        </>
      )}
    </Step>
  );
}

const words = texts.mcp.access.reasons;

function Access({ why: { access, server, call } }: { why: ToolCallWhy }) {
  const { at_call: then, now, rules } = access;
  const isSame = then !== null && then.why === now?.why && then.rule_id === now.rule_id;
  const isOwn = call.sent_by?.kind === 'gateway';
  return (
    <Step name={t.access}>
      <div>
        {then !== null ? (
          <>
            {t.atCall} <strong>{words[then.why]}</strong>
          </>
        ) : isOwn && server.backend_id === null ? (
          t.notAsked
        ) : (
          t.notKept
        )}
      </div>
      {now === null ? null : <div>{isSame ? t.same : `${t.now} ${words[now.why]}`}</div>}
      {rules.map((item) => (
        <div key={item.rule_id}>
          <AccessRule rule={item} />
        </div>
      ))}
    </Step>
  );
}

function AccessRule({ rule: { rule, rule_id, events } }: { rule: AccessRuleLink }) {
  const { tenantId } = useTenant();
  return (
    <>
      {t.rule}{' '}
      <Link to="/t/$tenantId/gateway/mcp-access" params={{ tenantId }} className="gw-link">
        <Name value={rule_id} mono />
      </Link>
      :{' '}
      {rule === null ? (
        t.ruleGone
      ) : (
        <>
          {t.effects[rule.effect]}{' '}
          <Name
            value={
              rule.subject.kind === 'person' ? rule.subject.email : t.subjects[rule.subject.kind]
            }
          />{' '}
          · {rule.backend_id === null ? t.allServers : t.oneServer} ·{' '}
          {rule.tool === null ? t.anyTool : <Name value={rule.tool} mono />}
          {rule.reason === null ? null : (
            <div>
              <Name value={rule.reason} />
            </div>
          )}
        </>
      )}
      <Trail events={events} />
    </>
  );
}
type AccessRuleLink = ToolCallWhy['access']['rules'][number];

function CallRules({ why: { call_rules: rules, more_call_rules: more } }: { why: ToolCallWhy }) {
  return (
    <Step name={t.callRules}>
      {rules.length === 0 ? <span className="gw-dimmed">{t.noCallRules}</span> : null}
      {rules.map((item) => (
        <CallRule key={item.rule_id} rule={item} />
      ))}
      {more === 0 ? null : <div>{t.more(more)}</div>}
    </Step>
  );
}

function CallRule({ rule }: { rule: CallRuleLink }) {
  const { tenantId } = useTenant();
  return (
    <div>
      {rule.found.length === 0 ? null : <Decided found={rule.found} />}{' '}
      <Link to="/t/$tenantId/gateway/guardrails" params={{ tenantId }} className="gw-link">
        <Name value={rule.name} />
      </Link>{' '}
      {t.stands[rule.stands]}
      {rule.found.length === 0 ? <div>{t.foundNothing}</div> : <Found found={rule.found} />}
      <Trail events={rule.events} />
    </div>
  );
}
