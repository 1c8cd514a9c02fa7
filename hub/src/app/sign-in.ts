// Composes the sign-in of users: the console as an OpenID Connect client, and the embedded login provider if the operator
// configured no other provider.
import type { JWK } from 'jose';
import {
  createLoginProvider,
  createLoginState,
  createPasswordVerifier,
  createSignIn,
  createSignInLimiter,
  createSignInReport,
  loginSigningKey,
  type PasswordChecks,
  registerInvitationPages,
  registerInvitations,
  registerLoginProvider,
  registerOwnPassword,
  registerSignIn,
  type SessionCookie,
  type SignIn,
} from '../features/people/identity/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Sealer } from '../platform/crypto/seal.ts';
import type { Database } from '../platform/db/database.ts';
import type { App } from '../platform/http/server/app.ts';
import { installationSecret, randomKey } from '../platform/installation.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

export interface SignInParts {
  config: Config;
  origin: string;
  localUrl: string;
  database: Database;
  sealer: Sealer;
  metrics: Metrics;
}

/** Registers sign-in, sign-out and invitations. `signingKey` belongs to the embedded provider; null: another provider is configured. */
export async function registerSignInRoutes(
  app: App,
  { config, origin, localUrl, database, sealer, metrics }: SignInParts,
  cookie: SessionCookie,
): Promise<{ signIn: SignIn; signingKey: JWK | null }> {
  const { db } = database;
  const { login } = config;
  const signIn = createSignIn({ origin, login, localUrl, sealer });
  let signingKey: JWK | null = null;
  if (login === null) {
    signingKey = await loginSigningKey(db, sealer);
    const cookieKey = await installationSecret(db, sealer, 'login-cookie-key', randomKey);
    const state = createLoginState({ sealer, cookie });
    const loginProvider = createLoginProvider({ db, origin, signingKey, cookieKey, state });
    const checks: PasswordChecks = {
      limiter: createSignInLimiter(),
      verifier: createPasswordVerifier(),
      report: createSignInReport({ db, count: (outcome) => metrics.signIns.inc({ outcome }) }),
    };
    await registerLoginProvider(app, { db, loginProvider, state, sealer, cookie, checks });
    registerOwnPassword(app, { db, cookie, checks });
  }
  const { providerNames } = config;
  registerSignIn(app, { db, cookie, signIn, sealer, providerNames });
  await registerInvitations(app, { db, cookie });
  await registerInvitationPages(app, { db, cookie, isEmbedded: login === null });
  return { signIn, signingKey };
}
