// The texts of a company's directory: how it provisions people, and its tokens.

export const directoryTexts = {
  title: 'Directory',
  lead: 'Entra ID, Okta and others can keep people and their groups up to date here by SCIM 2.0: whoever joins may sign in with the role that the directory gives them, whoever leaves may not any more, at once. Enter this address and a token there.',
  url: 'SCIM address',
  roles:
    'Roles are taken from the attribute “roles” (Member, Viewer, Reviewer or Admin); without it a person is a Member. Groups of the directory are groups of people here, by which rules of the MCP gateway say who may use what.',
  tokens: 'Tokens of directories',
  empty: 'No directory yet',
  emptyText: 'Make a token and enter it in your directory.',
  nameHint: 'Which directory it is for.',
  lastUsed: 'Last used',
  secret: 'The token',
  secretHint: 'Enter it in your directory as the secret or bearer token.',
  once: 'It is shown this once.',
  revokeText:
    'The directory can change nothing here any more, from its next request on. People and groups stay as they are.',
} as const;
