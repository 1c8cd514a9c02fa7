// How a tab shows a facet: its name, the labels and colors of its values, and the chosen value.

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

/** Returns the label of a value; rows without a value have a label, too. */
export const facetLabel = ({ labelOf }: FacetView, value: string | null): string =>
  value === null ? NO_VALUE : (labelOf?.(value) ?? value);

const NO_VALUE = '–';
const SERIES_COLORS = 6;

/** Returns the color of a series: of its value if the facet has colors, else by its place. */
export function seriesColor({ colors }: FacetView, value: string | null, index: number): string {
  const color = value === null ? undefined : colors?.[value];
  if (color !== undefined) return `var(--gw-series-${color})`;
  return value === null || index >= SERIES_COLORS
    ? 'var(--gw-series-other)'
    : `var(--gw-series-${index + 1})`;
}
