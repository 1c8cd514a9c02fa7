// Logs for people: what the composition may use.
import type { App } from '../../../platform/http/app.ts';
import { type LogPageDeps, registerLogLists } from './routes.ts';
import { registerLogSettings } from './settings.ts';
import { registerUsage } from './usage.ts';

export function registerLogViews(app: App, deps: LogPageDeps): void {
  registerLogLists(app, deps);
  registerLogSettings(app, deps);
  registerUsage(app, deps);
}
