// Alert routes: what server.ts may use.
export { countDeliveries } from './delivery-store.ts';
export { registerAlertRoutes } from './routes.ts';
export { type AlertRouting, startAlertRouting } from './routing.ts';
export { createRouteSecrets, SEALED_ROUTES } from './secrets.ts';
export { routesForGroup } from './store.ts';
export { type RouteTrial, tryRoutes } from './trial.ts';
