// The schema of routes that count the rows of a list over time.
import { HistogramAnswer } from '@gatewarden/shared/wire/console/histogram.ts';
import type { TSchema } from 'typebox';

/** Returns the schema of a histogram route; `list` completes the summary, such as "the alerts". */
export const histogramSchema = <Query extends TSchema>(
  tag: string,
  list: string,
  querystring: Query,
) => ({
  tags: [tag],
  summary: `Count ${list} over time and by filter`,
  querystring,
  response: { 200: HistogramAnswer },
});
