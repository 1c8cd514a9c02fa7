// The subject of a policy in a list: a product with its platforms, or what the match of an app's policy names.
import type { ListedOverride, PolicyProduct } from '@gatewarden/shared/wire/console/overrides.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { visible } from '../ui/visible.ts';
import { NamedMatch } from './MatchText.tsx';
import { policyTexts } from './policy-texts.ts';

interface ProductSubjectProps {
  product: PolicyProduct;
  /** Employees have no page of a product. */
  isLinked?: boolean;
}

export function ProductSubject({ product, isLinked = true }: ProductSubjectProps) {
  const { tenantId } = useTenant();
  const name = <Name value={product.name} clamp />;
  return (
    <span className="gw-inline-badges">
      {isLinked ? (
        <Link
          to="/t/$tenantId/inventory/products/$productId"
          params={{ tenantId, productId: product.product_id }}
          className="gw-link"
        >
          {name}
        </Link>
      ) : (
        name
      )}
      <Badge tone="plain">
        {product.platform === null ? policyTexts.allPlatforms : texts.platforms[product.platform]}
      </Badge>
      <Badge tone="plain">{policyTexts.apps(product.app_count)}</Badge>
    </span>
  );
}

interface SubjectNameProps {
  override: Pick<ListedOverride, 'match' | 'product'>;
  children: (name: string) => ReactNode;
}

/** Passes on what people call the subject, for labels. */
export function SubjectName({ override: { match, product }, children }: SubjectNameProps) {
  if (product !== null) return children(visible(product.name));
  return <NamedMatch match={match}>{children}</NamedMatch>;
}
