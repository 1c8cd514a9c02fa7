// Rejects unknown query parameters. A misspelled filter would otherwise be ignored and look as if it had been applied.
import type { RouteOptions } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { HubError } from '../errors/errors.ts';
import { pointerPart } from '../json/json-pointer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts any query: its standard requires that, or monitoring adds parameters to its URL. */
    takesAnyQuery?: boolean;
  }
}

const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** Closes the query schema of every documented route: an `onRoute` hook. */
export function forbidUnknownParameters(route: RouteOptions): void {
  const { schema, config } = route;
  if (schema === undefined || schema.hide === true || config?.takesAnyQuery === true) return;
  // The handler validates the query, because its errors have their own format.
  if (config?.asks !== undefined || config?.caller === 'directory') return;
  const query = schema.querystring as TSchema | undefined;
  if (query === undefined) schema.querystring = NO_QUERY;
  else if (!('additionalProperties' in query)) {
    schema.querystring = { ...query, additionalProperties: false };
  }
}

/** Rejects the first parameter that the schema does not define. Throws `invalid_request`. */
export function rejectUnknownParameters(query: object, { properties }: TObject): void {
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  const pointer = `/query/${pointerPart(unknown)}`;
  throw new HubError('invalid_request', `${pointer} is not a field of this request`);
}
