// What the standard says of resources and their changes, by its library: bodies checked and in the standard's letters,
// PATCH, and what the service tells of itself. Pure.
import type { ScimPatch, ScimResource } from '@gatewarden/shared/wire/scim.ts';
import SCIMMY from 'scimmy';
import { ScimFault, type ScimType } from './faults.ts';
import { type Kind, keptOf, operationsKept } from './operations.ts';
import { SCIM_PREFIX } from './resources.ts';

const { User, Group } = SCIMMY.Schemas;
SCIMMY.Resources.declare(SCIMMY.Resources.User);
SCIMMY.Resources.declare(SCIMMY.Resources.Group);
SCIMMY.Config.set({
  patch: { supported: true },
  filter: { supported: true, maxResults: 1_000 },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token that an administrator made in the console.',
      primary: true,
    },
  ] as never,
});

const SCHEMAS = { User, Group };

/** A body of POST or PUT, in the standard's letters and without what a client may not set. Throws ScimFault. */
export function checked(kind: Kind, body: object): Record<string, unknown> {
  return told(() => plain(new SCHEMAS[kind](keptOf(kind, body) as never, 'in')));
}

/** The resource as the operations leave it. Throws ScimFault. */
export async function patched(
  kind: Kind,
  resource: ScimResource,
  patch: ScimPatch,
): Promise<Record<string, unknown>> {
  const Operations = operationsKept(kind, patch.Operations);
  if (Operations.length === 0) return resource;
  const schemas = [SCIMMY.Messages.PatchOp.id];
  try {
    const message = new SCIMMY.Messages.PatchOp({ schemas, Operations } as never);
    const before = new SCHEMAS[kind](resource as never, 'out');
    // Null where nothing is another than it was.
    const after = await message.apply(before as never, async (one: never) => one);
    return plain((after ?? before) as object);
  } catch (error) {
    throw faultOf(error);
  }
}

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw faultOf(error);
  }
}

/** The library throws its own for what is wrong, and plain ones where it did not expect what came. */
function faultOf(error: unknown): Error {
  if (error instanceof ScimFault) return error;
  const { scimType, message } = error as { scimType?: string; message?: string };
  const known = ['invalidPath', 'noTarget', 'mutability', 'invalidSyntax', 'invalidFilter'];
  const type = known.find((one) => one === scimType) ?? 'invalidValue';
  return new ScimFault(type as ScimType, (message ?? 'The body is not valid.').slice(0, 500));
}

const plain = (one: object): Record<string, unknown> => JSON.parse(JSON.stringify(one));

/** What the service says of itself; null where there is no such thing. */
export async function described(
  what: 'ServiceProviderConfig' | 'ResourceTypes' | 'Schemas',
  origin: string,
  id?: string,
): Promise<ScimResource | ScimResource[] | null> {
  const Described = {
    ServiceProviderConfig: SCIMMY.Resources.ServiceProviderConfig,
    ResourceTypes: SCIMMY.Resources.ResourceType,
    Schemas: SCIMMY.Resources.Schema,
  }[what];
  Described.basepath(`${origin}${SCIM_PREFIX}`);
  try {
    const read = plain(
      (await (id === undefined ? new Described() : new Described(id)).read()) as object,
    );
    return Array.isArray(read.Resources)
      ? (read.Resources as ScimResource[])
      : (read as ScimResource);
  } catch {
    return null;
  }
}
