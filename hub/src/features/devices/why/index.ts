// Why something was decided: what server.ts may use.
export { registerWhy } from './routes.ts';
