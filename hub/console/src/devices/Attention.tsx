// The notice above the list about devices that need attention, with links; nothing without such devices.
import type { DeviceOverviewAnswer, DeviceState } from '@gatewarden/shared/wire/console/devices.ts';
import { Link } from '@tanstack/react-router';
import { useResource, useTenant } from '../api/tenant.ts';
import { Waiting } from '../ui/Waiting.tsx';
import { deviceTexts } from './device-texts.ts';
import './devices.css';

export function Attention() {
  const { tenantId } = useTenant();
  const answer = useResource<DeviceOverviewAnswer>('devices', '/device-overview');
  const { data, isError } = answer;
  if (data === undefined) return isError ? <Waiting answer={answer} /> : null;
  const all: [DeviceState, number, string][] = [
    ['duplicate', data.duplicates, deviceTexts.duplicates(data.duplicates)],
    ['stale', data.stale, deviceTexts.staleCount(data.stale, data.devices)],
  ];
  const problems = all.filter(([, count]) => count > 0);
  if (problems.length === 0) return null;
  return (
    // The role is on a wrapper, because a list with the role `status` would lose its items.
    <div role="status" data-testid="device-attention">
      <ul className="gw-attention">
        {problems.map(([state, , text]) => (
          <li key={state}>
            {text}{' '}
            <Link
              to="/t/$tenantId/devices"
              params={{ tenantId }}
              search={{ state }}
              className="gw-link"
            >
              {deviceTexts.show[state === 'stale' ? 'stale' : 'duplicate']}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
