// The recipes of "Send to SIEM": commands with this hub's address, and the collector configurations of the documentation.
import filebeat from '../../../../docs/collectors/filebeat.yml?raw';
import fluentBit from '../../../../docs/collectors/fluent-bit.yaml?raw';
import vector from '../../../../docs/collectors/vector.yaml?raw';

export const SHIPPERS = ['filebeat', 'fluent_bit', 'vector'] as const;
export type Shipper = (typeof SHIPPERS)[number];

/** The configuration of each shipper; it reads the files of the collector. */
export const SHIPPER_FILES: Readonly<Record<Shipper, string>> = {
  filebeat,
  fluent_bit: fluentBit,
  vector,
};

/** Returns the commands that write the log export of an endpoint to files. `origin`: the hub's. */
export const collectCommand = (origin: string, endpoint: 'llm' | 'mcp'): string =>
  [
    'export GATEWARDEN_LOG_EXPORT_KEY=gwl_…',
    `npm run -s collect -- --url ${origin} --endpoint ${endpoint} --out /var/log/gatewarden/${endpoint}`,
  ].join('\n');

/** Returns the commands that send the events of the last full hour, for a job that runs every hour. `url` ends with a query. */
export const hourlyCommand = (url: string): string =>
  [
    'FROM=$(date -u -d "1 hour ago" +%FT%H:00:00Z) TO=$(date -u +%FT%H:00:00Z)',
    'curl -fsS -H "Authorization: Bearer $GATEWARDEN_TOKEN" \\',
    `  "${url}&from=$FROM&to=$TO" \\`,
    "  | curl -fsS -H 'Content-Type: application/json' --data-binary @- https://logs.example.com/ingest",
  ].join('\n');
