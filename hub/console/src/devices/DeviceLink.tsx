// A device's host name that leads to its page.
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { Name } from '../ui/Name.tsx';

export function DeviceLink({ deviceId, hostname }: { deviceId: string; hostname: string }) {
  const { tenantId } = useTenant();
  return (
    <Link to="/t/$tenantId/devices/$deviceId" params={{ tenantId, deviceId }} className="gw-link">
      <Name value={hostname} clamp />
    </Link>
  );
}
