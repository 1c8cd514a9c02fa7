// The subject of a policy in a list: a product with its platforms, or what the match of an app's policy names.
import type { ListedOverride, PolicyProduct } from '@gatewarden/shared/wire/console/overrides.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { visible } from '../ui/visible.ts';
import { EntityPlatform, NamedMatch } from './MatchText.tsx';
import { policyTexts } from './policy-texts.ts';

type NamedProduct = Pick<PolicyProduct, 'product_id' | 'name' | 'platform'>;

interface ProductSubjectProps {
  product: NamedProduct;
  /** Employees have no page of a product. */
  isLinked?: boolean;
}

export function ProductSubject({ product, isLinked = true }: ProductSubjectProps) {
  return (
    <span className="gw-inline-badges">
      {isLinked ? <ProductName product={product} /> : <Name value={product.name} clamp />}
      <Badge tone="plain">{platformLabel(product.platform)}</Badge>
    </span>
  );
}

/** The name of a product, as a link to its page. */
export function ProductName({ product: { product_id: productId, name } }: ProductSubjectProps) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/inventory/products/$productId"
      params={{ tenantId, productId }}
      className="gw-link"
    >
      <Name value={name} clamp />
    </Link>
  );
}

/** Returns the name of a platform, or that all are meant. */
export const platformLabel = (platform: PolicyProduct['platform'] | undefined): string =>
  platform == null ? policyTexts.allPlatforms : texts.platforms[platform];

/** Returns the product with its platform, for labels: two policies of a product differ by the platform alone. */
export const productLabel = ({ name, platform }: NamedProduct): string =>
  policyTexts.productOn(visible(name), platform === null ? null : texts.platforms[platform]);

/** The platform that a policy applies to, as a chip: of a product policy, of the app that it names, or of its match. */
export function SubjectPlatform({
  override: { match, product },
}: Pick<SubjectNameProps, 'override'>) {
  const isOfApp = product === null && match.entity_id !== undefined;
  return (
    <Badge tone="plain">
      {isOfApp && match.entity_id !== undefined ? (
        <EntityPlatform entityId={match.entity_id} />
      ) : (
        platformLabel(product === null ? match.platform : product.platform)
      )}
    </Badge>
  );
}

interface SubjectNameProps {
  override: Pick<ListedOverride, 'match' | 'product'>;
  children: (name: string) => ReactNode;
}

/** Passes the displayed name of the subject to labels. */
export function SubjectName({ override: { match, product }, children }: SubjectNameProps) {
  if (product !== null) return children(visible(product.name));
  return <NamedMatch match={match}>{children}</NamedMatch>;
}
