// The adoption of a server as a bar: users through the gateway, and users with direct use.
import type { Adoption } from '@gatewarden/shared/wire/console/mcp-server-health.ts';
import { publishTexts } from './publish-texts.ts';
import './mcp.css';

const words = publishTexts.adoption;
const HEIGHT = 8;

export function AdoptionBar({ adoption: { gateway, direct } }: { adoption: Adoption }) {
  const all = gateway + direct;
  if (all === 0) return <span className="gw-dimmed">{words.none}</span>;
  const share = `${(gateway / all) * 100}%`;
  return (
    <div className="gw-adoption" data-testid="adoption">
      <svg width="100%" height={HEIGHT} role="img" aria-label={words.bar(gateway, direct)}>
        <rect data-part="direct" width="100%" height={HEIGHT} />
        <rect data-part="gateway" width={share} height={HEIGHT} />
      </svg>
      <span className="gw-small gw-num" aria-hidden>
        {words.short(gateway, all)}
      </span>
    </div>
  );
}
