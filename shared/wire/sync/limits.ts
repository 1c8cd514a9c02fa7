// Limits and paths of the sync protocol that need no schema, so that the agent loads them without the schema library.

/** The maximum number of entities, processes, events or alerts in a request. */
export const BATCH_LIMIT = 50;

/** The maximum size in bytes of an entity's `details`, as JSON in UTF-8. */
export const DETAILS_MAX_BYTES = 8192;

/** The maximum number of programs in a report; the busiest machines run a few hundred. */
export const RUNNING_LIMIT = 1000;

export const DELTA_LIMIT_DEFAULT = 200;
export const DELTA_LIMIT_MAX = 500;

/**
 * The size limit of a body in bytes, both as sent and decompressed. The limit after decompression stops a gzip bomb.
 */
export const BODY_LIMIT_BYTES = 1024 * 1024;
export const INFLATED_LIMIT_BYTES = 4 * 1024 * 1024;

/** The size limit of a release file in bytes. A release of the agent with Node is a quarter of this. */
export const RELEASE_MAX_BYTES = 256 * 1024 * 1024;

export const SYNC_PATHS = {
  enroll: '/ea/v1/enroll',
  discoveredApps: '/ea/v1/sync/discovered-apps',
  unknownProcesses: '/ea/v1/sync/unknown-processes',
  runningProcesses: '/ea/v1/sync/running-processes',
  activity: '/ea/v1/sync/activity',
  alerts: '/ea/v1/sync/alerts',
  accessRequests: '/ea/v1/sync/access-requests',
  delta: '/ea/v1/sync/delta',
  processMap: '/ea/v1/sync/process-map',
  mcpOffer: '/ea/v1/sync/mcp-offer',
  update: '/ea/v1/updates/manifest',
} as const;

/** The SHA-256 of the file in hexadecimal follows this path. */
export const UPDATE_FILES_PATH = '/ea/v1/updates/files';

/** The maximum pause in minutes within 24 hours that a tenant can permit. */
export const PAUSE_MINUTES_MAX = 480;

/** The id of the aggregated gateway: all servers behind a single address. */
export const WHOLE_GATEWAY = 'gateway';
