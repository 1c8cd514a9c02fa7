// The commands about tenants and people, as the command line offers them.
import type { Command } from 'commander';
import type { CommandRun } from './commands.ts';

/** Adds a command that prints one document and ends. */
export type AddCommand = <Options>(
  parent: Command,
  name: string,
  description: string,
  load: () => Promise<(run: CommandRun, options: Options) => Promise<object>>,
) => Command;

/** `commands` loads what they carry out, when one is. */
export function addPeople(
  program: Command,
  command: AddCommand,
  commands: () => Promise<typeof import('./commands.ts')>,
): void {
  const tenant = program.command('tenant').description('tenants');
  command(tenant, 'create', 'make a tenant', async () => (await commands()).runTenantCreate)
    .requiredOption('--name <name>', 'its name')
    .option('--id <uuid>', 'its id; made where left out');
  command(tenant, 'list', 'list the tenants', async () => (await commands()).runTenantList);

  const user = program.command('user').description('people of the embedded login provider');
  command(user, 'create', 'make a person', async () => (await commands()).runUserCreate)
    .requiredOption('--tenant <id>', 'tenant id')
    .requiredOption('--email <email>', 'e-mail address')
    .option('--role <role>', 'Admin, Reviewer, Viewer or Member', 'Member')
    .option('--password-stdin', 'read the password from standard input');
  command(user, 'list', 'list the people', async () => (await commands()).runUserList).option(
    '--tenant <id>',
    'only of this tenant',
  );
  command(
    user,
    'change',
    "change a person's role, let them in again, or give them a password",
    async () => (await commands()).runUserChange,
  )
    .requiredOption('--tenant <id>', 'tenant id')
    .requiredOption('--user <id>', 'user id, as `user list` shows it')
    .option('--role <role>', 'Admin, Reviewer, Viewer or Member')
    .option('--enable', 'who was disabled may sign in again')
    .option('--password-stdin', 'read a new password from standard input; open sessions end');
  command(
    user,
    'disable',
    'take a person away all access to a tenant',
    async () => (await commands()).runUserDisable,
  )
    .requiredOption('--tenant <id>', 'tenant id')
    .requiredOption('--user <id>', 'user id');
}
