// Loads scimmy with the first request that needs it: most installations have no directory.
import type Scimmy from 'scimmy';

let loaded: Promise<typeof Scimmy> | null = null;

/** Returns scimmy, configured with the features of this service and with users and groups. */
export function scimmy(): Promise<typeof Scimmy> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<typeof Scimmy> {
  const { default: library } = await import('scimmy');
  library.Resources.declare(library.Resources.User);
  library.Resources.declare(library.Resources.Group);
  library.Config.set({
    patch: { supported: true },
    filter: { supported: true, maxResults: 1_000 },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A SCIM token that an administrator created in the console.',
        primary: true,
      },
    ] as never,
  });
  return library;
}
