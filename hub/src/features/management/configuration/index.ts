// Configuration of apps: its schema, merging, validation and routing.
// Start reading at merge.ts, then checks.ts.
export { checkAlone, checkConfig, type References, webhookUrls } from './checks.ts';
export { APP_FIELDS, GOVERNED_SECTIONS, rolledBack } from './fields.ts';
export { differences, mergedConfig } from './merge.ts';
export { checkRoom } from './room.ts';
export { checkTargets, modelsNotOffered, type ProviderFacts } from './routing.ts';
export { configWithoutSecrets, type Webhook, webhooksOf } from './secrets.ts';
