// Says above the list which devices need a look, with the way to them; nothing where all is well.
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
    ['stale', data.stale, deviceTexts.staleOf(data.stale, data.devices)],
  ];
  const found = all.filter(([, count]) => count > 0);
  if (found.length === 0) return null;
  return (
    // As a list with another role its items would be none.
    <div role="status" data-testid="device-attention">
      <ul className="gw-attention">
        {found.map(([state, , text]) => (
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
