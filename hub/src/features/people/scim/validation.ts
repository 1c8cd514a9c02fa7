// Validation and PATCH by scimmy: bodies in the schema's spelling, and the discovery documents of the service (RFC
// 7644, 4). Pure.
import type { ScimPatch, ScimResource } from '@gatewarden/shared/wire/scim.ts';
import { ScimError, type ScimType } from './errors.ts';
import { type Kind, selectStoredAttributes, selectStoredOperations } from './operations.ts';
import { SCIM_PREFIX } from './resources.ts';
import { scimmy } from './scimmy.ts';

/**
 * Validates a body of POST or PUT, and returns it in the schema's spelling without read-only attributes. Throws
 * ScimError.
 */
export async function validateBody(kind: Kind, body: object): Promise<Record<string, unknown>> {
  const { Schemas } = await scimmy();
  try {
    return toPlain(new Schemas[kind](selectStoredAttributes(kind, body) as never, 'in'));
  } catch (error) {
    throw toScimError(error);
  }
}

/** Returns the resource after the operations. Throws ScimError. */
export async function applyPatch(
  kind: Kind,
  resource: ScimResource,
  patch: ScimPatch,
): Promise<Record<string, unknown>> {
  const Operations = selectStoredOperations(kind, patch.Operations);
  if (Operations.length === 0) return resource;
  const { Messages, Schemas } = await scimmy();
  const schemas = [Messages.PatchOp.id];
  try {
    const message = new Messages.PatchOp({ schemas, Operations } as never);
    const before = new Schemas[kind](resource as never, 'out');
    // scimmy calls back only if something changed, and returns null otherwise.
    const after = await message.apply(before as never, async (patched: never) => patched);
    return toPlain((after ?? before) as object);
  } catch (error) {
    throw toScimError(error);
  }
}

/** Converts errors of scimmy: its own for invalid input, plain errors for input that it did not expect. */
function toScimError(error: unknown): Error {
  if (error instanceof ScimError) return error;
  const { scimType, message } = error as { scimType?: string; message?: string };
  const types = ['invalidPath', 'noTarget', 'mutability', 'invalidSyntax', 'invalidFilter'];
  const type = types.find((candidate) => candidate === scimType) ?? 'invalidValue';
  return new ScimError(type as ScimType, (message ?? 'The body is not valid.').slice(0, 500));
}

const toPlain = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value));

/** Returns a discovery document; null if there is no such resource. */
export async function readDiscovery(
  kind: 'ServiceProviderConfig' | 'ResourceTypes' | 'Schemas',
  origin: string,
  id?: string,
): Promise<ScimResource | ScimResource[] | null> {
  const { Resources } = await scimmy();
  const Resource = {
    ServiceProviderConfig: Resources.ServiceProviderConfig,
    ResourceTypes: Resources.ResourceType,
    Schemas: Resources.Schema,
  }[kind];
  Resource.basepath(`${origin}${SCIM_PREFIX}`);
  try {
    const document = toPlain(
      (await (id === undefined ? new Resource() : new Resource(id)).read()) as object,
    );
    return Array.isArray(document.Resources)
      ? (document.Resources as ScimResource[])
      : (document as ScimResource);
  } catch {
    return null;
  }
}
