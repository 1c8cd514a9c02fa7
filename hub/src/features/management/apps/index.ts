// Apps: configuration, providers, names and versions of an app.
// Start reading at rules.ts, then write.ts.
export { alertingApps, webhookOf } from './alerting.ts';
export { findApp, lockApp } from './find.ts';
export { appDocs, inlinePlace } from './node-docs.ts';
export { appRoutes } from './routes.ts';
export {
  type AppRow,
  bumpApp,
  SEALED_INLINE,
  SEALED_URLS,
  SEARCHED_APPS,
  searchApps,
  selectAppNames,
  selectAppsMeant,
} from './store.ts';
export { appWrites, sealUrls } from './write.ts';
