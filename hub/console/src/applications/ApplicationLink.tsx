// The name of an app as a link to its page; plain text for an unknown app.
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { Name } from '../ui/Name.tsx';

export function ApplicationLink({ entityId, name }: { entityId: string | null; name: string }) {
  const { tenantId } = useTenant();
  if (entityId === null) return <Name value={name} clamp />;
  return (
    <Link
      to="/t/$tenantId/inventory/items/$entityId"
      params={{ tenantId, entityId }}
      className="gw-link"
      data-entity={entityId}
    >
      <Name value={name} clamp />
    </Link>
  );
}
