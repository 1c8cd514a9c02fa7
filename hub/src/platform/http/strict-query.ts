// A query parameter that a route does not know is refused: a misspelled filter would otherwise be dropped and look as if it
// had been applied.
import type { RouteOptions } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { HubError } from './errors.ts';
import { pointerPart } from './pointer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts any query: its standard asks for that, or monitoring adds parameters to its URL. */
    takesAnyQuery?: boolean;
  }
}

const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** An `onRoute` hook: gives every documented route a query schema that accepts no other parameter. */
export function closeQuery(route: RouteOptions): void {
  const { schema, config } = route;
  if (schema === undefined || schema.hide === true || config?.takesAnyQuery === true) return;
  // The handler checks it, because its errors have a form of their own.
  if (config?.asks !== undefined || config?.caller === 'directory') return;
  const query = schema.querystring as TSchema | undefined;
  if (query === undefined) schema.querystring = NO_QUERY;
  else if (!('additionalProperties' in query)) {
    schema.querystring = { ...query, additionalProperties: false };
  }
}

/** Throws 400 for the first parameter that the schema does not name. */
export function rejectUnknownParameters(query: object, { properties }: TObject): void {
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  const pointer = `/query/${pointerPart(unknown)}`;
  throw new HubError('invalid_request', `${pointer} is not a field of this request`);
}
