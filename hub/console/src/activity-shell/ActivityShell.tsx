// The frame of the tabs of Activity: heading with time range, saved views and export; histogram and filters around the table.
import type { HistogramAnswer } from '@gatewarden/shared/wire/console/histogram.ts';
import type { ViewList } from '@gatewarden/shared/wire/console/saved-views.ts';
import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { QueryParams } from '../api/query-string.ts';
import type { List } from '../api/tenant.ts';
import { SavedViews } from '../saved-views/SavedViews.tsx';
import { Page } from '../ui/Page.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { FacetPanel } from './FacetPanel.tsx';
import type { FacetView } from './facet-view.ts';
import { Histogram } from './Histogram.tsx';
import { RangeControl } from './RangeControl.tsx';
import { shellTexts as t } from './texts.ts';
import type { RangeSearch } from './time-range.ts';
import { useHistogram } from './use-histogram.ts';
import '../ui/series-colors.css';
import './activity-shell.css';

/** From this width on, the filters are open at first, beside the list. */
const WIDE = '(min-width: 87.5em)';

export interface ActivityShellProps {
  title: string;
  lead: ReactNode;
  /** The list at the hub: its histogram and its download are below it. */
  path: string;
  list: List<unknown>;
  /** The filter of the list as the hub takes it, with its order. */
  filter: QueryParams;
  facets: readonly FacetView[];
  /** The facet that the histogram stacks. */
  series: string;
  range: RangeSearch;
  onRange: (range: RangeSearch) => void;
  /** Filters that are no facets, and how many of them are chosen. */
  filters?: ReactNode;
  otherChosen?: number;
  views: {
    list: ViewList;
    search: QueryParams;
    /** Returns the parameters of a saved view that the page knows. */
    parse: (search: Readonly<Record<string, string>>) => QueryParams;
    onView: (search: Readonly<Record<string, string>>) => void;
  };
  children: ReactNode;
}

export function ActivityShell(props: ActivityShellProps) {
  const { title, lead, path, list, filter, facets, series, range, onRange, views } = props;
  const [areFiltersOpen, setFiltersOpen] = useState(() => window.matchMedia(WIDE).matches);
  const { data: histogram } = useHistogram(path, filter, list);
  const stacked = facets.find(({ name }) => name === series);
  const chosen = facets.filter((facet) => facet.chosen !== facet.usual).length;
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <div className="gw-row-actions gw-activity-actions">
          <RangeControl range={range} onRange={onRange} />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFilter size={14} aria-hidden />}
            aria-expanded={areFiltersOpen}
            aria-controls="activity-filters"
            onClick={() => setFiltersOpen(!areFiltersOpen)}
          >
            {t.showFilters(chosen + (props.otherChosen ?? 0))}
          </Button>
          <SavedViews {...views} />
          <ExportMenu path={path} list={views.list} filter={filter} />
        </div>
      }
    >
      <div className="gw-activity" data-with-filters={areFiltersOpen || undefined}>
        {areFiltersOpen ? (
          <FacetPanel
            facets={facets}
            series={series}
            counts={histogram?.facets}
            colored={coloredOf(histogram)}
          >
            {props.filters}
          </FacetPanel>
        ) : null}
        <div className="gw-activity-list">
          {stacked === undefined ? null : (
            <Histogram
              histogram={histogram}
              facet={stacked}
              onPeriod={(period) => onRange({ range: undefined, ...period })}
            />
          )}
          {props.children}
        </div>
      </div>
    </Page>
  );
}

const coloredOf = (histogram: HistogramAnswer | undefined) =>
  (histogram?.series ?? []).filter((item) => !item.is_other).map(({ value }) => value);
