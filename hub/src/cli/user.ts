// Commands about users.
import { ROLES } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Command } from 'commander';
import { addCommand, displayTable, ofTenant } from './command.ts';
import type { UserChangeOptions, UserOptions } from './operator-commands.ts';
import type { InviteOptions, UserSelection } from './user-actions.ts';

interface ListedUser {
  tenant_id: string;
  user_id: string;
  email: string;
  role: string;
  disabled_at: string | Date | null;
}

const COLUMNS = {
  user: (row: ListedUser) => row.user_id,
  email: (row: ListedUser) => row.email,
  role: (row: ListedUser) => row.role,
  state: (row: ListedUser) => (row.disabled_at === null ? 'enabled' : 'disabled'),
  tenant: (row: ListedUser) => row.tenant_id,
};

const ROLE_HELP = `${ROLES.join(', ')}; Member may only use the MCP gateway`;
const commands = () => import('./operator-commands.ts');

/** Adds `user create|invite|list|change|enable|disable`. */
export function addUserCommands(program: Command): void {
  const user = program.command('user').description('Administer the users of a tenant');
  addCommand<UserOptions>(user, {
    name: 'create',
    summary: 'Create a user with a password from standard input',
    examples: [
      'user create --tenant ID --email ada@acme.example --role Admin --password-stdin <password',
    ],
    environment: { LOGIN_ISSUER: 'login provider; with it, users have no password here' },
    configure: (command) =>
      command
        .requiredOption('--tenant <tenant>', 'tenant by id or name')
        .requiredOption('--email <email>', 'e-mail address')
        .option('--role <role>', ROLE_HELP, 'Member')
        .option('--password-stdin', 'read the password from standard input'),
    load: async () => (await commands()).runUserCreate,
  });
  addCommand<InviteOptions>(user, {
    name: 'invite',
    summary:
      'Invite a user: print the link of the invitation, valid for seven days, and mail it if the hub has a mail server',
    examples: ['user invite --email ada@acme.example --role Reviewer'],
    environment: {
      HUB_SMTP_URL: 'mail server that sends the link',
      LOGIN_ISSUER:
        'login provider; with it, the user signs in there instead of setting a password',
    },
    configure: (command) =>
      ofTenant(command)
        .requiredOption('--email <email>', 'e-mail address')
        .option('--role <role>', ROLE_HELP, 'Member'),
    load: async () => (await import('./user-actions.ts')).runUserInvite,
  });
  addCommand<{ tenant?: string }>(user, {
    name: 'list',
    summary: 'List the users',
    examples: ['user list', 'user list --tenant ID --json'],
    configure: (command) =>
      command.option('--tenant <tenant>', 'only users of this tenant, by id or name'),
    display: displayTable('users', COLUMNS, 'No users.'),
    load: async () => (await commands()).runUserList,
  });
  addChanges(user);
}

function addChanges(user: Command): void {
  addCommand<UserChangeOptions>(user, {
    name: 'change',
    summary: 'Change the role or the password of a user',
    examples: ['user change --tenant ID --user ID --role Reviewer'],
    configure: (command) =>
      command
        .requiredOption('--tenant <tenant>', 'tenant by id or name')
        .requiredOption('--user <id>', 'user by id')
        .option('--role <role>', ROLE_HELP)
        .option('--password-stdin', 'read a new password from standard input; sessions end'),
    load: async () => (await commands()).runUserChange,
  });
  const selected = (command: Command) =>
    ofTenant(command).requiredOption('--user <user>', 'user by id or e-mail address');
  addCommand<UserSelection>(user, {
    name: 'enable',
    summary: 'Allow a disabled user to sign in again',
    examples: ['user enable --user ada@acme.example'],
    configure: selected,
    load: async () => (await import('./user-actions.ts')).runUserEnable,
  });
  addCommand<UserSelection>(user, {
    name: 'disable',
    summary: 'End the sessions and tokens of a user, and refuse their sign-in',
    examples: ['user disable --tenant ID --user ID', 'user disable --user ada@acme.example'],
    configure: selected,
    load: async () => (await import('./user-actions.ts')).runUserDisable,
  });
}
