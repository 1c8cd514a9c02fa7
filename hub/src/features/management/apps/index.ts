// Apps: what other features may use.
export { findApp, lockApp } from './find.ts';
export { appRoutes } from './routes.ts';
export { type AppRow, bumpApp } from './store.ts';
export { appWrites } from './write.ts';
