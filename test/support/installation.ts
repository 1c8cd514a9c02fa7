// A tenant of a hub that runs as a program, created by its commands, with an agent token and an administrator token.
import { type Answer, call } from './hub.ts';
import { jsonCommand } from './programs.ts';

export interface Installation {
  url: string;
  tenantId: string;
  agentToken: string;
  adminToken: string;
}

/** Creates a tenant with the commands of this release (`main`), beside the hub at `url` that has this environment. */
export async function newInstallation(
  { main, env, url }: { main: string; env: NodeJS.ProcessEnv; url: string },
  name: string,
  { enrolOnly = false }: { enrolOnly?: boolean } = {},
): Promise<Installation> {
  const command = <T>(...words: string[]) => jsonCommand<T>(main, words, env);
  const tenant = await command<{ tenant_id: string }>('tenant', 'create', '--name', name);
  const tenantId = tenant.tenant_id;
  const token = async (...words: string[]) =>
    (await command<{ token: string }>('token', ...words, '--tenant', tenantId)).token;
  const agent = ['agent', '--name', 'devices', ...(enrolOnly ? ['--enrol-only'] : [])];
  return {
    url,
    tenantId,
    agentToken: await token(...agent),
    adminToken: await token('admin', '--email', 'a@example.com'),
  };
}

/** A console call below the tenant, as its administrator. */
export const asAdmin = (
  at: Pick<Installation, 'url' | 'tenantId' | 'adminToken'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> =>
  call(
    `${at.url}/console/api/v1/tenants/${at.tenantId}${path}`,
    method,
    { authorization: `Bearer ${at.adminToken}` },
    body,
  );
