// How a tab shows a facet: its name, the labels and colors of its values, and the chosen value.
import { shellTexts as t } from './texts.ts';

export interface FacetView {
  /** Its name in the answer of the hub. */
  name: string;
  label: string;
  /** Values in their own order; other values follow by their counts. */
  order?: readonly string[];
  labelOf?: (value: string) => string;
  colors?: Readonly<Record<string, string>>;
  chosen: string | undefined;
  /** The value in force without a choice. */
  usual?: string;
  onChoose: (value: string | undefined) => void;
}

interface KnownFacet<Value extends string>
  extends Omit<FacetView, 'order' | 'labelOf' | 'onChoose'> {
  values: readonly Value[];
  labels: Readonly<Record<Value, string>>;
  onChoose: (value: Value | undefined) => void;
}

/** Returns the view of a facet with a closed list of values, which is also their order. */
export function closedFacet<Value extends string>(facet: KnownFacet<Value>): FacetView {
  const { values, labels, onChoose, ...view } = facet;
  const known = (value: string | undefined) => values.find((listed) => listed === value);
  return {
    ...view,
    order: values,
    labelOf: (value) => {
      const listed = known(value);
      return listed === undefined ? value : labels[listed];
    },
    onChoose: (value) => onChoose(known(value)),
  };
}

/** Returns the label of a value; rows without a value have a label, too. */
export const facetLabel = ({ labelOf }: FacetView, value: string | null): string =>
  value === null ? t.noValue : (labelOf?.(value) ?? value);

const SERIES_COLORS = 6;

/** Returns the color of a series: of its value if the facet has colors, else by its place. */
export function seriesColor({ colors }: FacetView, value: string | null, index: number): string {
  const color = value === null ? undefined : colors?.[value];
  if (color !== undefined) return `var(--gw-series-${color})`;
  return value === null || index >= SERIES_COLORS
    ? 'var(--gw-series-other)'
    : `var(--gw-series-${index + 1})`;
}
