// A device group's name that leads to its page.
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { Name } from '../ui/Name.tsx';

export function GroupLink({ groupId, name }: { groupId: string; name: string }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/devices/groups/$groupId"
      params={{ tenantId, groupId }}
      className="gw-link"
    >
      <Name value={name} clamp />
    </Link>
  );
}
