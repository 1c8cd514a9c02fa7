// `init`: the first tenant with its administrator, so that somebody can sign in.
import { text } from 'node:stream/consumers';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { checkPassword, createUser } from '../features/people/identity/index.ts';
import { createTenant, listTenants } from '../features/people/tenants/index.ts';
import { UsageError } from '../platform/config/config.ts';
import { resolveOrigin } from '../platform/installation.ts';
import { CommandFailed } from './exit-codes.ts';
import { type CommandRun, withContext } from './operator-commands.ts';

export interface InitOptions {
  /** Name of the tenant. */
  tenant?: string;
  email?: string;
  passwordStdin?: boolean;
}

interface InitValues {
  tenant: string;
  email: string;
  /** Null if users sign in at a login provider. */
  password: string | null;
}

/** Creates the first tenant and its administrator. Refuses an installation that has a tenant. */
export function runInit(run: CommandRun, options: InitOptions): Promise<object> {
  requireOptions(run, options);
  return withContext(run, async ({ database: { db } }, { installation }) => {
    const [existing] = await listTenants(db);
    if (existing !== undefined) {
      throw new CommandFailed(
        `this installation has the tenant "${existing.name}": use "tenant create" and "user create"`,
        EXIT.refused,
        'already_exists',
      );
    }
    const values = await valuesOf(run, options);
    // A wrong password must not leave a tenant without an administrator.
    if (values.password !== null) checkPassword(values.password);
    const { tenant_id } = await createTenant(db, values.tenant);
    const { user_id } = await createUser(db, {
      tenantId: tenant_id,
      email: values.email,
      role: 'Admin',
      password: values.password,
    });
    return {
      tenant_id,
      user_id,
      console_url: `${resolveOrigin(run.config, installation)}/console/`,
    };
  });
}

/** Without a terminal every value must be an option; that is checked before a database is created. */
function requireOptions({ terminal, config }: CommandRun, options: InitOptions): void {
  if (terminal?.isInteractive === true) return;
  const { tenant, email, passwordStdin } = options;
  const isComplete =
    tenant !== undefined &&
    email !== undefined &&
    (config.login !== null || passwordStdin === true);
  if (isComplete) return;
  throw new UsageError(
    config.login === null
      ? 'without a terminal, --tenant, --email and --password-stdin are required'
      : 'without a terminal, --tenant and --email are required',
  );
}

async function valuesOf(run: CommandRun, options: InitOptions): Promise<InitValues> {
  const ask = async (question: string) => (await run.terminal?.input(question)) ?? '';
  const tenant = options.tenant ?? (await ask('Name of the tenant'));
  const email = options.email ?? (await ask('E-mail address of the administrator'));
  if (run.config.login !== null) return { tenant, email, password: null };
  const password =
    options.passwordStdin === true
      ? (await text(run.stdin)).replace(/\r?\n$/, '')
      : ((await run.terminal?.password('Password of the administrator')) ?? '');
  return { tenant, email, password };
}
