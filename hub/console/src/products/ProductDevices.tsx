// The devices with a product and their users, for each app of the product.
import type { ProductApplication } from '@gatewarden/shared/wire/console/products.ts';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { ApplicationDevices } from '../applications/ApplicationDevices.tsx';
import { sourceLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { Section } from '../ui/Page.tsx';
import { visible } from '../ui/visible.ts';
import { productTexts as t } from './texts.ts';

/** The fragment that figures of the page lead to. */
export const PRODUCT_DEVICES = 'devices';

export function ProductDevices({ applications }: { applications: readonly ProductApplication[] }) {
  const [chosen, setChosen] = useState<string>();
  const shown = applications.find(({ entity_id: id }) => id === chosen) ?? applications[0];
  if (shown === undefined) return null;
  return (
    <div id={PRODUCT_DEVICES} tabIndex={-1}>
      <Section title={texts.application.devices}>
        {applications.length > 1 ? (
          <div className="gw-filters">
            <NativeSelect
              label={texts.decisions.match}
              className="gw-chip"
              value={shown.entity_id}
              data={applications.map((app) => ({ value: app.entity_id, label: labelOf(app) }))}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          </div>
        ) : null}
        <ApplicationDevices entityId={shown.entity_id} />
      </Section>
    </div>
  );
}

const labelOf = ({ name, source, platform, device_count: devices }: ProductApplication): string =>
  t.appOn(visible(name), sourceLabel(source), t.platformNames[platform], devices);
