// The coverage of a device's last scans by source and owner, which separates "not found" from "not scanned".
import type { DeviceAnswer } from '@gatewarden/shared/wire/console/devices.ts';
import { sourceLabel, stateLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { DataTable } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';

export function Coverage({
  coverage,
  title,
}: {
  coverage: DeviceAnswer['device']['coverage'];
  title: string;
}) {
  return (
    <Section title={title}>
      {coverage.length === 0 ? (
        <p className="gw-dimmed">{texts.device.coverageEmpty}</p>
      ) : (
        <DataTable
          caption={title}
          rows={coverage}
          rowKey={(row) => JSON.stringify([row.source, row.owner])}
          columns={[
            {
              key: 'source',
              header: texts.device.source,
              render: (row) => <Name value={sourceLabel(row.source)} />,
            },
            {
              key: 'owner',
              header: texts.device.owner,
              render: (row) =>
                row.owner === null ? texts.device.wholeMachine : <Name value={row.owner} />,
            },
            {
              key: 'state',
              header: texts.device.state,
              render: (row) => <Name value={stateLabel(row.state)} />,
            },
            {
              key: 'found',
              weight: 0.6,
              header: texts.device.found,
              align: 'end',
              render: (row) => (
                <span className="gw-num">{row.entities.toLocaleString('en-GB')}</span>
              ),
            },
            {
              key: 'reason',
              weight: 2.5,
              header: texts.device.reason,
              render: (row) => (row.reason ? <Name value={row.reason} clamp /> : '–'),
            },
          ]}
        />
      )}
    </Section>
  );
}
