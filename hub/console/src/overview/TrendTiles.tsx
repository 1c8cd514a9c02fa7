// Tiles of Home: the figure of each series with its last days, as a line and as a table.
import { Sparkline } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import type { UsageAnswer } from '@gatewarden/shared/wire/console/logs.ts';
import type { TrendsAnswer } from '@gatewarden/shared/wire/console/trends.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Static } from 'typebox';
import { useResource } from '../api/tenant.ts';
import { usd } from '../logs/usd.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { dayText } from '../ui/time-text.ts';
import { trendTexts as t } from './texts.ts';
import { firstSpendDay, type TileSeries, type TrendTile, trendTiles } from './trend-tiles.ts';

const SPARKLINE_HEIGHT = 40;

/**
 * Reads the trends and shows their tiles; nothing before the first count of the organization. `live` has current counts,
 * because the hub counts the trends only every few minutes.
 */
export function TrendTiles({ live }: { live: Partial<Record<TileSeries, number | undefined>> }) {
  const { data: trends } = useResource<TrendsAnswer>('overview', '/trends');
  const from = firstSpendDay(new Date());
  const { data: usage } = useResource<Static<typeof UsageAnswer>>('gateway', '/llm/usage', {
    ...{ from, by: 'day' },
  });
  if (trends === undefined) return null;
  const tiles = trendTiles(trends, usage?.items ?? [], live);
  if (tiles.length === 0) return null;
  return (
    <ul className="gw-tiles" aria-label={t.title}>
      {tiles.map((tile) => (
        <Tile key={tile.name} tile={tile} />
      ))}
    </ul>
  );
}

function Tile({ tile }: { tile: TrendTile }) {
  const [isOpen, setOpen] = useState(false);
  const name = t.names[tile.name];
  return (
    <li className="gw-tile" data-testid="trend-tile">
      <span>{name}</span>
      <strong>{valueText(tile, tile.value)}</strong>
      {tile.days.length < 2 ? (
        <span className="gw-dimmed gw-small">{t.soon}</span>
      ) : (
        <>
          {/* The chart is focusable, and Sparkline has no option against that. */}
          <div aria-hidden="true" inert>
            <Sparkline
              h={SPARKLINE_HEIGHT}
              data={tile.days.map(({ value }) => value)}
              color="var(--gw-accent, teal)"
              curveType="linear"
              fillOpacity={0.15}
              strokeWidth={2}
            />
          </div>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t.tableLabel(name)}
            onClick={() => setOpen(true)}
          >
            {t.table}
          </Button>
        </>
      )}
      {isOpen ? <Numbers name={name} tile={tile} onClosed={() => setOpen(false)} /> : null}
    </li>
  );
}

function Numbers({
  name,
  tile,
  onClosed,
}: {
  name: string;
  tile: TrendTile;
  onClosed: () => void;
}) {
  return (
    <Dialog title={t.tableTitle(name)} onClosed={onClosed}>
      {() => (
        <table className="gw-table">
          <thead>
            <tr>
              <th scope="col">{t.day}</th>
              <th scope="col">{name}</th>
            </tr>
          </thead>
          <tbody>
            {tile.days.toReversed().map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                <td className="gw-num">{valueText(tile, value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}

const valueText = ({ name }: TrendTile, value: number): string =>
  name === 'spend' ? usd(value) : value.toLocaleString('en-US');
