// What the standard says of resources and their changes, by its library: bodies checked and in the standard's letters,
// PATCH, and what the service tells of itself. Pure.
import type { ScimPatch, ScimResource } from '@gatewarden/shared/wire/scim.ts';
import { ScimFault, type ScimType } from './faults.ts';
import { scimmy } from './library.ts';
import { type Kind, keptOf, operationsKept } from './operations.ts';
import { SCIM_PREFIX } from './resources.ts';

/** A body of POST or PUT, in the standard's letters and without what a client may not set. Throws ScimFault. */
export async function checked(kind: Kind, body: object): Promise<Record<string, unknown>> {
  const { Schemas } = await scimmy();
  try {
    return plain(new Schemas[kind](keptOf(kind, body) as never, 'in'));
  } catch (error) {
    throw faultOf(error);
  }
}

/** The resource as the operations leave it. Throws ScimFault. */
export async function patched(
  kind: Kind,
  resource: ScimResource,
  patch: ScimPatch,
): Promise<Record<string, unknown>> {
  const Operations = operationsKept(kind, patch.Operations);
  if (Operations.length === 0) return resource;
  const { Messages, Schemas } = await scimmy();
  const schemas = [Messages.PatchOp.id];
  try {
    const message = new Messages.PatchOp({ schemas, Operations } as never);
    const before = new Schemas[kind](resource as never, 'out');
    // Null where nothing is another than it was.
    const after = await message.apply(before as never, async (one: never) => one);
    return plain((after ?? before) as object);
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
  const { Resources } = await scimmy();
  const Described = {
    ServiceProviderConfig: Resources.ServiceProviderConfig,
    ResourceTypes: Resources.ResourceType,
    Schemas: Resources.Schema,
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
