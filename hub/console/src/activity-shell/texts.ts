// The texts of the frame of Activity: time range, histogram, filters, drawer and the export to a SIEM.
import { counted } from '../ui/counted.ts';
import type { RangePreset } from './time-range.ts';

export const shellTexts = {
  range: 'Time range',
  presets: { '1h': '1 h', '24h': '24 h', '7d': '7 d', '30d': '30 d' } satisfies Record<
    RangePreset,
    string
  >,
  allTimes: 'All',
  custom: 'Custom',
  from: 'From',
  to: 'To',
  histogram: 'Histogram',
  chartOf: (facet: string) => `Events over time by ${facet.toLowerCase()}`,
  showTable: 'Show histogram as a table',
  showChart: 'Show histogram as a chart',
  show: 'Show',
  showPeriod: (start: string) => `Show events from ${start}`,
  total: 'Total',
  other: 'Other',
  noValue: 'None',
  countedFrom: 'Counts start at',
  narrow: 'Choose a shorter time range for exact counts.',
  filters: 'Filters',
  showFilters: (chosen: number) => (chosen === 0 ? 'Filters' : `Filters (${chosen})`),
  more: (count: number) => `Show ${counted(count, 'more value', 'more values')}`,
  nextRow: 'Next row (j)',
  previousRow: 'Previous row (k)',
  position: (position: number, loaded: number) =>
    `${position.toLocaleString('en-US')} of ${loaded.toLocaleString('en-US')} loaded`,
  export: 'Export',
  siem: 'Send to SIEM',
  details: 'Details',
  detailsOf: (name: string) => `Show details: ${name}`,
} as const;

export const siemTexts = {
  title: 'Send to a SIEM',
  keyFirst: 'Collectors read this log with an export key.',
  createKey: 'Create an export key',
  recipe: 'Recipe',
  ways: { filebeat: 'Filebeat', fluent_bit: 'Fluent Bit', vector: 'Vector', curl: 'curl' },
  collect: 'Run the collector as a service. It follows the log and writes files.',
  collector: 'Collector',
  ship: (shipper: string) =>
    `Send the files with ${shipper}. Replace the target by your own, and check the file before you use it.`,
  command: 'Command',
  more: 'More targets and limits',
  hourly:
    'Run this command every hour with an admin token in GATEWARDEN_TOKEN. Admin tokens are short-lived: create a new token for each run. The command sends the filtered events of the last full hour. Events that devices report later are not included.',
  channelFirst: 'To send each alert as it arrives:',
  channel: 'Add a webhook notification channel',
} as const;
