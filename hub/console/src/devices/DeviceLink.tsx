// The host name of a device as a link to its page, optionally with its user below.
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { Name } from '../ui/Name.tsx';
import { UserLink } from '../users/UserLink.tsx';

export function DeviceLink({ deviceId, hostname }: { deviceId: string; hostname: string }) {
  const { tenantId } = useTenant();
  return (
    <Link to="/t/$tenantId/devices/$deviceId" params={{ tenantId, deviceId }} className="gw-link">
      <Name value={hostname} clamp />
    </Link>
  );
}

/** A table cell with the device and its user. */
export function DeviceCell({
  row,
}: {
  row: { device_id: string; hostname: string; subscriber_id: string };
}) {
  return (
    <div>
      <DeviceLink deviceId={row.device_id} hostname={row.hostname} />
      <div className="gw-dimmed gw-small">
        <UserLink value={row.subscriber_id} isIdentity />
      </div>
    </div>
  );
}
