// Settings of an app that the gateway nodes do not enforce: a notice above the settings, and a mark at each of them. The rules
// are those of the nodes (shared/unsupported-settings.ts).
import {
  findUnsupported,
  type UnsupportedSetting,
} from '@gatewarden/shared/unsupported-settings.ts';
import { createContext, type ReactNode, use } from 'react';
import { useAllOf, useResource } from '../api/tenant.ts';
import { visible } from '../ui/visible.ts';
import { readConfig } from './draft-changes.ts';
import { type Field, settingLabel } from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.unenforced;

interface Capabilities {
  model_checks_available: boolean;
  detection_categories: { id: string; subcategories: string[] }[];
}

interface Definition {
  edm_id: string;
  name: string;
  patterns?: unknown[];
  values_count?: number;
}

const UnenforcedPaths = createContext<readonly string[]>([]);

/** Shows the notice about an app above its settings, and marks the settings that `useFieldLabel` labels. */
export function UnenforcedSettings({ app, children }: { app: GatewayApp; children: ReactNode }) {
  const settings = useUnenforced(app);
  return (
    <UnenforcedPaths value={settings.map(({ path }) => path)}>
      {settings.length === 0 ? null : <Notice settings={settings} />}
      {children}
    </UnenforcedPaths>
  );
}

/** Returns the label of a field, with a mark if the nodes do not enforce the setting or a part of it. */
export function useFieldLabel({ label, path }: Field): ReactNode {
  const pointer = `/${path.join('/')}`;
  const isMarked = use(UnenforcedPaths).some(
    (unenforced) => unenforced === pointer || unenforced.startsWith(`${pointer}/`),
  );
  if (!isMarked) return label;
  return (
    <>
      {label} <span className="gw-dimmed gw-small">({t.mark})</span>
    </>
  );
}

function useUnenforced(app: GatewayApp): UnsupportedSetting[] {
  const { data } = useResource<Capabilities>('gateway', '/gateway/capabilities');
  const config = readConfig(app);
  const detection = config.detection as { custom_definitions?: unknown[] } | undefined;
  const hasDefinitions = (detection?.custom_definitions ?? []).length > 0;
  const definitions = useAllOf<Definition>(
    'gateway',
    hasDefinitions ? '/gateway/custom-definitions' : null,
  );
  if (data === undefined) return [];
  return findUnsupported(config, {
    hasModel: data.model_checks_available,
    categories: data.detection_categories,
    definitions: definitions.map(({ edm_id, name, patterns = [], values_count = 0 }) => ({
      ...{ id: edm_id, name, isEmpty: patterns.length + values_count === 0 },
    })),
  });
}

function Notice({ settings }: { settings: readonly UnsupportedSetting[] }) {
  const reasons = [...new Set(settings.map(({ reason }) => reason))];
  return (
    <div className="gw-notice" role="alert">
      <div className="gw-stack">
        <strong>{t.title}</strong>
        {reasons.map((reason) => (
          <div key={reason}>
            <p className="gw-flat">{t.reasons[reason]}</p>
            <ul className="gw-plain-list">
              {settings
                .filter((setting) => setting.reason === reason)
                .map(({ path }) => (
                  <li key={path}>
                    <bdi>{visible(pointerLabel(path))}</bdi>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Returns the labels of a JSON pointer: `/detection/scan_images` reads “Guardrails → Scan images”. */
function pointerLabel(pointer: string): string {
  const names = pointer.slice(1).split('/');
  return names
    .map((name) => settingLabel(name.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join(' → ');
}
