// Numbers and paths of the sync protocol that need no schema: the agent loads these without the schema library.

/** Entities, processes, events or alerts in one request. */
export const BATCH_LIMIT = 50;

/** `details` of an entity may not be larger than this, as JSON in UTF-8. */
export const DETAILS_MAX_BYTES = 8192;

/** The busiest of machines run a few hundred programs. */
export const RUNNING_LIMIT = 1000;

export const DELTA_LIMIT_DEFAULT = 200;
export const DELTA_LIMIT_MAX = 500;

/** As sent and inflated; the inflated limit is what stops a gzip bomb. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
export const INFLATED_LIMIT_BYTES = 4 * 1024 * 1024;

/** A release of the agent with its Node is a quarter of this. */
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

/** Followed by the file's SHA-256 in hex. */
export const UPDATE_FILES_PATH = '/ea/v1/updates/files';

/** No tenant can let people pause for longer, within 24 hours. */
export const PAUSE_MINUTES_MAX = 480;

/** What the gateway offers as a whole: all that it puts together behind one address. */
export const WHOLE_GATEWAY = 'gateway';
