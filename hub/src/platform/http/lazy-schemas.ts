// What Fastify makes of schemas, made when a route is first used: a start compiles no hundreds of them.
import ajvCompiler from '@fastify/ajv-compiler';
import serializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;
type Validate = ((data: unknown) => unknown) & { errors?: unknown };
/** Of either kind: options in, then a route's schema in, then a function over its data. */
type Factory<Made> = (schemas: unknown, options: unknown) => (route: unknown) => Made;

/** The compilers that Fastify takes by itself, each result put off until its first call, and made once for a process. */
export function lazyCompilers(): Factories {
  return COMPILERS;
}

const COMPILERS = {
  buildValidator: lazily(ajvCompiler() as unknown as Factory<Validate>, (made) => {
    const validate: Validate = (data) => {
      const isValid = made()(data);
      // Fastify reads the complaints from the function that it called.
      validate.errors = made().errors;
      return isValid;
    };
    return validate;
  }),
  buildSerializer: lazily(
    serializerCompiler() as unknown as Factory<(data: unknown) => string>,
    (made) => (data: unknown) => made()(data),
  ),
} as Factories;

function lazily<Made>(factory: Factory<Made>, put: (made: () => Made) => Made): Factory<Made> {
  const shared = new Map<string, WeakMap<object, Made>>();
  return (schemas, options) => {
    const compile = factory(schemas, options);
    const known = sharedBy(shared, schemas, options);
    return (route) => {
      const { schema } = route as { schema: object };
      let made: Made | undefined;
      return put(() => {
        if (made !== undefined) return made;
        made = known.get(schema) ?? compile(route);
        known.set(schema, made);
        return made;
      });
    };
  };
}

/** What was compiled with the same options, for hubs that follow one another in a process; of schemas that refer to none beside them. */
function sharedBy<Made>(
  shared: Map<string, WeakMap<object, Made>>,
  schemas: unknown,
  options: unknown,
): WeakMap<object, Made> {
  if (Object.keys(schemas as object).length > 0) return new WeakMap();
  const key = JSON.stringify(options);
  const known = shared.get(key) ?? new WeakMap<object, Made>();
  shared.set(key, known);
  return known;
}
