// The address of an operation without a tenant, for links of the documentation: leads to the page in the first tenant.
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Notice } from './Fallbacks.tsx';
import { useSignedIn } from './SignedIn.tsx';

const route = getRouteApi('/api-reference/$operationId');

export function OperationLink() {
  const { operationId } = route.useParams();
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
