// The address of an operation without a tenant, for links of the documentation. Redirects to the page in the first tenant.
import { createRoute, Navigate } from '@tanstack/react-router';
import { NoTenant } from './Fallbacks.tsx';
import { useSignedIn } from './SignedIn.tsx';
import { rootRoute } from './tenant-route.ts';

export const operationLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/api-reference/$operationId',
  component: OperationLink,
});

function OperationLink() {
  const { operationId } = operationLinkRoute.useParams();
  const { tenants, suspended } = useSignedIn();
  const tenantId = tenants[0]?.tenant_id;
  if (tenantId === undefined) return <NoTenant suspended={suspended} />;
  return (
    <Navigate
      to="/t/$tenantId/settings/api-reference/$operationId"
      params={{ tenantId, operationId }}
      replace
    />
  );
}
