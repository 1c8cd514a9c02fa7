// Provisioning by a company's directory: what the composition and the list of issued secrets may use.
export { registerScim } from './routes.ts';
export { registerScimTokens } from './token-routes.ts';
export { ISSUED_SCIM_TOKENS } from './tokens.ts';
