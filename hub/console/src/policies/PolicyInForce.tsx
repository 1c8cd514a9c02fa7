// The policies in force for an app or a product, as the hub explains them: step, origin, scope and author, with a link to each.

import type { ProductPolicy } from '@gatewarden/shared/wire/console/product-policies.ts';
import type {
  ApplicationPoliciesAnswer,
  PoliciesInForce,
  PolicyInForce as Policy,
  ProductAnswer,
} from '@gatewarden/shared/wire/console/products.ts';
import { Link } from '@tanstack/react-router';
import { useResource, useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Time } from '../ui/Time.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { distinctPolicies } from './distinct-policies.ts';
import { ScopeText } from './MatchText.tsx';
import { PolicyStepBadge } from './PolicyStepBadge.tsx';
import { policyTexts } from './policy-texts.ts';
import { useProductPolicies } from './use-product-policies.ts';

const SHOWN = 5;

export function AppPolicyInForce({ entityId }: { entityId: string }) {
  const path = `/discovered-apps/${entityId}/policies`;
  const answer = useResource<ApplicationPoliciesAnswer>('overrides', path);
  return (
    <InForceSection>
      <Waiting answer={answer} />
      {answer.data === undefined ? null : <PolicyList policies={answer.data.policies} />}
    </InForceSection>
  );
}

export function ProductPolicyInForce({ productId }: { productId: string }) {
  const answer = useResource<ProductAnswer>('applications', `/products/${productId}`);
  const owners = useProductPolicies(productId);
  return (
    <InForceSection>
      <Waiting answer={answer} />
      {answer.data === undefined ? null : (
        <PolicyList policies={answer.data.product.policies} owners={owners} />
      )}
    </InForceSection>
  );
}

function InForceSection({ children }: { children: React.ReactNode }) {
  return (
    <section aria-label={policyTexts.inForce} data-testid="policy-in-force">
      <strong>{policyTexts.inForce}</strong>
      {children}
    </section>
  );
}

interface PolicyListProps {
  policies: PoliciesInForce;
  /** The product policies by their id. */
  owners?: ReadonlyMap<string, ProductPolicy>;
}

function PolicyList({ policies: { count, items }, owners }: PolicyListProps) {
  if (count === 0) return <p className="gw-dimmed gw-flat">{policyTexts.noneInForce}</p>;
  const policies = distinctPolicies(items);
  const hidden = policies.length - SHOWN + (count - items.length);
  return (
    <>
      <ul className="gw-plain-list">
        {policies.slice(0, SHOWN).map((policy) => (
          <li key={policy.override_id}>
            <PolicyLine policy={policy} owner={owners?.get(policy.product_policy_id ?? '')} />
          </li>
        ))}
        {hidden > 0 ? <li className="gw-dimmed">{texts.preview.more(hidden)}</li> : null}
      </ul>
      {policies.length > 1 ? (
        <p className="gw-dimmed gw-small gw-flat">{policyTexts.precedence}</p>
      ) : null}
    </>
  );
}

function PolicyLine({ policy, owner }: { policy: Policy; owner: ProductPolicy | undefined }) {
  const platform = owner?.platform ?? null;
  return (
    <>
      <PolicyStepBadge policy={policy} />{' '}
      {policyTexts.productOn(
        originOf(policy),
        platform === null ? null : texts.platforms[platform],
      )}{' '}
      · <ScopeText scope={policy.scope} />
      <div className="gw-small gw-dimmed">
        {policyTexts.setBy} <UserLink value={policy.updated_by} clamp={false} />,{' '}
        <Time at={policy.updated_at} /> · <PolicyLink policy={policy} />
      </div>
    </>
  );
}

/** Returns the origin in words; a default policy names its kind. */
function originOf({ origin, match }: Policy): string {
  return origin === 'default_policy' && match.kind !== undefined
    ? texts.preview.defaultOf(texts.kinds[match.kind])
    : policyTexts.origins[origin];
}

/** A link to the policy; a default policy is changed on the page of all defaults. */
function PolicyLink({ policy }: { policy: Policy }) {
  const { tenantId } = useTenant();
  if (policy.origin === 'default_policy') {
    return (
      <Link to="/t/$tenantId/policies/defaults" params={{ tenantId }} className="gw-link">
        {texts.preview.showDecision}
      </Link>
    );
  }
  return (
    <Link
      to="/t/$tenantId/policies"
      params={{ tenantId }}
      search={{ override_id: policy.override_id }}
      className="gw-link"
    >
      {texts.preview.showDecision}
    </Link>
  );
}
