// `token explain`: what an administrator's token opens here and why, or why nothing. For whoever sets a login provider up.
import { text } from 'node:stream/consumers';
import {
  adminTokenPolicy,
  createAdminTokenEvaluator,
  createSignIn,
  describeTokenClaims,
  loginSigningKey,
} from '../features/people/identity/index.ts';
import { listTenants } from '../features/people/tenants/index.ts';
import { ConfigError } from '../platform/config/config.ts';
import { resolveOrigin } from '../platform/installation.ts';
import { type CommandRun, withContext } from './operator-commands.ts';

export interface TokenExplained {
  ok: boolean;
  why: string;
  /** The claims that the hub evaluates, as sentences. */
  says: string[];
  /** Absent where it is refused. */
  opens?: string[];
}

/** Reads the token from standard input; it is not repeated. Throws ConfigError where there is none. */
export function runTokenExplain(run: CommandRun): Promise<TokenExplained> {
  return withContext(run, async ({ database: { db }, sealer }, { installation }) => {
    const token = (await text(run.stdin)).trim().replace(/^bearer\s+/i, '');
    if (token === '') throw new ConfigError('the token is read from standard input');
    const { login } = run.config;
    const origin = resolveOrigin(run.config, installation);
    const signIn = createSignIn({ origin, login, localUrl: origin, sealer });
    const signingKey = login === null ? await loginSigningKey(db, sealer) : null;
    const rules = adminTokenPolicy(origin, login, { signingKey, signIn });
    const judged = await createAdminTokenEvaluator(rules)(token);
    const says = describeTokenClaims(token, rules.claims) ?? [];
    if ('fault' in judged) return { ok: false, why: judged.fault, says };
    const { claims } = judged;
    const names = new Map((await listTenants(db)).map((tenant) => [tenant.tenant_id, tenant.name]));
    const known = claims.tenantIds.filter((id) => names.has(id));
    const opens = [
      ...(claims.isOperator ? ['every tenant, as the operator'] : []),
      ...known.map((id) => `${id} ${names.get(id)}`),
      ...claims.tenantIds
        .filter((id) => !names.has(id))
        .map((id) => `nothing of ${id}: there is no such tenant`),
    ];
    const ok = claims.isOperator || known.length > 0;
    const named = claims.tenantIds.length === 0 ? 'names no tenant' : 'names no tenant that exists';
    const why = ok
      ? `it is valid: ${claims.email} as ${claims.isOperator ? 'the operator' : claims.role}`
      : `it is valid, and ${named} (${rules.claims.tenantIds}): it opens nothing`;
    return { ok, why, says, opens };
  });
}
