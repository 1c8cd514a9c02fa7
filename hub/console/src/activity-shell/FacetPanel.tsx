// The filters of an Activity tab beside its table: the values of each facet with their counts.
import type { FacetCount } from '@gatewarden/shared/wire/console/histogram.ts';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { visible } from '../ui/visible.ts';
import { type FacetView, facetLabel, seriesColor } from './facet-view.ts';
import { shellTexts as t } from './texts.ts';

const SHOWN_FIRST = 6;

interface FacetPanelProps {
  facets: readonly FacetView[];
  /** The facet with the colors of the histogram. */
  series: string;
  counts: Readonly<Record<string, readonly FacetCount[]>> | undefined;
  /** The values of the histogram's series, in its order. */
  colored: readonly (string | null)[];
  /** Filters that are no facets. */
  children?: ReactNode;
}

export function FacetPanel({ facets, series, counts, colored, children }: FacetPanelProps) {
  return (
    <aside className="gw-card gw-facet-panel" aria-label={t.filters} id="activity-filters">
      {children}
      {facets.map((facet) => (
        <FacetValues
          key={facet.name}
          facet={facet}
          counts={counts?.[facet.name] ?? []}
          colored={facet.name === series ? colored : null}
        />
      ))}
    </aside>
  );
}

interface FacetValuesProps {
  facet: FacetView;
  counts: readonly FacetCount[];
  colored: readonly (string | null)[] | null;
}

function FacetValues({ facet, counts, colored }: FacetValuesProps) {
  const [isWhole, setWhole] = useState(false);
  const values = sortValues(facet, counts);
  if (values.length === 0) return null;
  const shown = isWhole
    ? values
    : values.filter(({ value }, place) => place < SHOWN_FIRST || value === facet.chosen);
  return (
    <section aria-label={facet.label} data-testid={`facet-${facet.name}`}>
      <h2>{facet.label}</h2>
      <ul className="gw-plain-list">
        {shown.map(({ value, count }) => (
          <li key={value ?? ''}>
            <FacetValue
              facet={facet}
              value={value}
              count={count}
              color={
                colored?.includes(value)
                  ? seriesColor(facet, value, colored.indexOf(value))
                  : undefined
              }
            />
          </li>
        ))}
      </ul>
      {shown.length < values.length ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          {t.more(values.length - shown.length)}
        </Button>
      ) : null}
    </section>
  );
}

interface FacetValueProps {
  facet: FacetView;
  value: string | null;
  count: number;
  color: string | undefined;
}

function FacetValue({ facet, value, count, color }: FacetValueProps) {
  const isChosen = value !== null && isEqualText(value, facet.chosen);
  const label = visible(facetLabel(facet, value));
  return (
    <button
      type="button"
      className="gw-facet"
      aria-pressed={isChosen}
      disabled={value === null}
      title={label}
      onClick={() => facet.onChoose(isChosen || value === null ? undefined : value)}
    >
      {color === undefined ? null : (
        <span className="gw-facet-color" style={{ background: color }} aria-hidden />
      )}
      <bdi className="gw-ellipsis">{label}</bdi>
      <span className="gw-num gw-dimmed">{count.toLocaleString('en-US')}</span>
    </button>
  );
}

/** The hub compares names in any letter case. */
const isEqualText = (value: string, chosen: string | undefined): boolean =>
  value.toLowerCase() === chosen?.toLowerCase();

/** Returns the values in the order of the facet. A chosen value without rows is included. */
function sortValues(facet: FacetView, counts: readonly FacetCount[]): readonly FacetCount[] {
  const { order = [], chosen } = facet;
  const isMissing =
    chosen !== undefined &&
    counts.every(({ value }) => value === null || !isEqualText(value, chosen));
  const all = isMissing ? [...counts, { value: chosen, count: 0 }] : counts;
  const placeOf = ({ value }: FacetCount) => {
    const place = order.indexOf(value ?? '');
    return place === -1 ? order.length : place;
  };
  return all.toSorted((a, b) => placeOf(a) - placeOf(b));
}
