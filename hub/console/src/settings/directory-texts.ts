// Texts of the directory: provisioning of users, and tokens.

import { shownOnce } from '../ui/secret-texts.ts';

export const directoryTexts = {
  title: 'SCIM directory',
  lead: 'Sync users and groups from Entra ID, Okta and other directories with SCIM 2.0. Users get access when they join and lose it as soon as they leave. Enter this URL and a token in your directory.',
  url: 'SCIM URL',
  roles:
    'Roles come from the “roles” attribute (Member, Viewer, Reviewer or Admin); without it, users get the Member role. Directory groups become user groups, which you can use in MCP access rules.',
  tokens: 'SCIM tokens',
  empty: 'No directory connected yet',
  emptyText: 'Create a token and enter it in your directory.',
  nameHint: 'The directory that uses it.',
  lastUsed: 'Last used',
  secret: 'SCIM token',
  secretHint: 'Enter it in your directory as the secret or bearer token.',
  once: shownOnce('token'),
  revokeText:
    'The directory can’t make changes anymore, starting with its next request. Users and groups stay as they are.',
} as const;
