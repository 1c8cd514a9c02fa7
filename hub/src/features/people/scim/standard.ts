// What the standard says of resources and their changes, by its library: bodies checked and in the standard's letters,
// PATCH, and what the service tells of itself. Pure.
import type { ScimPatch, ScimResource } from '@gatewarden/shared/wire/scim.ts';
import SCIMMY from 'scimmy';
import { isObject } from '../../../platform/http/json.ts';
import { ScimFault, type ScimType } from './faults.ts';
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

export type Kind = 'User' | 'Group';
const SCHEMAS = { User, Group };

/** A body of POST or PUT, in the standard's letters and without what a client may not set. Throws ScimFault. */
export function checked(kind: Kind, body: object): Record<string, unknown> {
  return told(() => plain(new SCHEMAS[kind](mended(body) as never, 'in')));
}

/** The resource as the operations leave it. Throws ScimFault. */
export async function patched(
  kind: Kind,
  resource: ScimResource,
  patch: ScimPatch,
): Promise<Record<string, unknown>> {
  if (patch.Operations.length === 0) return resource;
  const { schemas = [SCIMMY.Messages.PatchOp.id] } = patch;
  const Operations = patch.Operations.map((one) => mendedOperation(one));
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

/** Some directories send truth as a word. */
function mended(body: object): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name.toLowerCase() === 'active' ? truth(value) : value,
    ]),
  );
}

function mendedOperation(one: ScimPatch['Operations'][number]): object {
  const { op, path, value } = one;
  const isActive = path?.toLowerCase().replace(/^urn:.*:/, '') === 'active';
  const mendedValue =
    path === undefined && isObject(value) ? mended(value) : isActive ? truth(value) : value;
  return {
    op: op.toLowerCase(),
    ...(path === undefined ? {} : { path }),
    ...(value === undefined ? {} : { value: mendedValue }),
  };
}

const truth = (value: unknown): unknown =>
  typeof value === 'string' && /^(true|false)$/i.test(value) ? /^t/i.test(value) : value;

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
