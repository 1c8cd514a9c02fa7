// The address of an operation without a tenant, for links of the documentation: leads to the page in the first tenant.
import { createRoute, Navigate } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Notice } from './Fallbacks.tsx';
import { useSignedIn } from './SignedIn.tsx';
import { rootRoute } from './tenant-route.ts';

export const operationLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/api-reference/$operationId',
  component: OperationLink,
});

function OperationLink() {
  const { operationId } = operationLinkRoute.useParams();
  const tenantId = useSignedIn().tenants[0]?.tenant_id;
  if (tenantId === undefined) return <Notice title={texts.product} text={texts.errors.noTenants} />;
  return (
    <Navigate
      to="/t/$tenantId/settings/api-reference/$operationId"
      params={{ tenantId, operationId }}
      replace
    />
  );
}
