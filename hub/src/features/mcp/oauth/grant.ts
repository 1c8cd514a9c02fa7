// From consent to code: binds the approving browser, the user of the identity provider, and a single code.
import { randomBytes } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { isAllowedAddress, type McpSettings } from '../settings/index.ts';
import { redirectTo } from './authorization/response.ts';
import { registeredForm } from './redirects.ts';
import {
  type Authorization,
  type Grantee,
  insertCode,
  markRedirectUsed,
  takeAuthorization,
} from './store.ts';

export const CODE_SECONDS = 60;
export const REQUEST_SECONDS = 600;

export const newSecret = () => randomBytes(32).toString('base64url');

export interface Tenancy {
  tenant_id: string;
  name: string;
  user_id: string;
}

/** The companies for which this person may use what the namespace offers. */
export async function tenantsFor(
  email: string,
  fixed: string | null,
  deps: {
    membershipsOf(emailFolded: string): Promise<Tenancy[]>;
    settings(tenantId: string): Promise<McpSettings>;
  },
): Promise<Tenancy[]> {
  const memberships = await deps.membershipsOf(foldName(email));
  const meant = memberships.filter(
    (membership) => fixed === null || membership.tenant_id === fixed,
  );
  const allowed = await Promise.all(
    meant.map(async (item) =>
      isAllowedAddress(await deps.settings(item.tenant_id), foldName(email), 'member'),
    ),
  );
  return meant.filter((_, i) => allowed[i]);
}

/** Ends the authorization and gives where the browser goes with its code; null where it had ended before. */
export async function grant(
  db: Db,
  requestHash: Buffer,
  authorization: Authorization,
  grantee: Grantee,
): Promise<string | null> {
  const code = newSecret();
  const granted = await transact(db, async (tx) => {
    if (!(await takeAuthorization(tx, requestHash))) return false;
    await insertCode(tx, {
      ...grantee,
      codeHash: hashSecret(code),
      namespace: authorization.namespace,
      asked: authorization.asked,
      seconds: CODE_SECONDS,
    });
    await markRedirectUsed(
      tx,
      authorization.namespace,
      registeredForm(authorization.asked.redirectUri),
    );
    return true;
  });
  return granted ? redirectTo(authorization.asked, { code }) : null;
}
