// The trace of the user's own tool call: outcome, deciding policy, its author and time. Of a policy it shows only the text for
// rejected users, and no links to pages that members cannot open.
import type { OwnCallWhy as Answer } from '@gatewarden/shared/wire/console/own-calls.ts';
import { texts } from '../texts.ts';
import { Name } from '../ui/Name.tsx';
import type { Chain } from './address.ts';
import { Approval, Decided, Found, TheCall } from './CallWhy.tsx';
import { callWhyTexts as t } from './call-texts.ts';
import { ReadChain } from './ReadChain.tsx';
import { Step, Trail, TrailEventText } from './Trail.tsx';

/** The trace of the call in the address. */
export function OwnCallWhy({ path, topic }: Chain) {
  return (
    <ReadChain<Answer> path={path} topic={topic}>
      {(why) => (
        <>
          <TheCall call={why.call} />
          <Step name={t.server}>
            <Name value={why.server} />
          </Step>
          <Step name={why.call.method === null ? t.tool : t.asked}>
            <Name value={why.tool ?? why.call.method} mono />
            {why.approved === null ? null : (
              <div>
                {t.approvedThen} <TrailEventText event={why.approved} />
              </div>
            )}
          </Step>
          <Access why={why} />
          <Met why={why} />
          <Approval approval={why.approval} />
        </>
      )}
    </ReadChain>
  );
}

function Access({ why: { access } }: { why: Answer }) {
  const { why, rule } = access;
  return (
    <Step name={t.access}>
      {why === null ? (
        t.notKept
      ) : (
        <>
          {t.atCall} <strong>{texts.mcp.access.reasons[why]}</strong>
        </>
      )}
      {rule === null ? null : (
        <div>
          {t.rule} <Name value={rule.rule_id} mono />:{' '}
          {rule.effect === null ? t.ruleGone : t.effects[rule.effect]}
          {rule.reason === null ? null : (
            <div>
              <Name value={rule.reason} />
            </div>
          )}
          <Trail events={rule.events} />
        </div>
      )}
    </Step>
  );
}

function Met({ why: { call_rules: rules } }: { why: Answer }) {
  return (
    <Step name={t.callRules}>
      {rules.length === 0 ? <span className="gw-dimmed">{t.foundNone}</span> : null}
      {rules.map(({ rule_id, found, events }) => (
        <div key={rule_id}>
          <Decided found={found} /> <Name value={rule_id} mono />
          <Found found={found} />
          <Trail events={events} />
        </div>
      ))}
    </Step>
  );
}
