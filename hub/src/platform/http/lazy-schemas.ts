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

/** It keeps what it compiled, by options and schema: hubs that follow one another in a process share that. */
const buildValidator = ajvCompiler() as unknown as Factory<Validate>;
type Serialize = (data: unknown) => string;
const buildSerializer = serializerCompiler() as unknown as Factory<Serialize>;
/** By schema, for whatever routes share one; and hubs that follow one another in a process share all of them. */
const serializers = new WeakMap<object, Serialize>();

/** The compilers that Fastify takes by itself, each result put off until its first call. */
export function lazyCompilers(): Factories {
  return {
    buildValidator: lazily(buildValidator, (made) => {
      const validate: Validate = (data) => {
        const isValid = made()(data);
        // Fastify reads the complaints from the function that it called.
        validate.errors = made().errors;
        return isValid;
      };
      return validate;
    }),
    buildSerializer: lazily(compiledOnce, (made) => (data: unknown) => made()(data)),
  } as Factories;
}

/** What a schema says depends on shared schemas and options too: with any of these nothing is kept. */
function compiledOnce(schemas: unknown, options: unknown): (route: unknown) => Serialize {
  const compile = buildSerializer(schemas, options);
  if ([schemas, options].some((one) => Object.keys(one ?? {}).length > 0)) return compile;
  return (route) => {
    const { schema } = route as { schema: unknown };
    // A schema may be `true`.
    if (typeof schema !== 'object' || schema === null) return compile(route);
    const kept = serializers.get(schema) ?? compile(route);
    serializers.set(schema, kept);
    return kept;
  };
}

function lazily<Made>(factory: Factory<Made>, put: (made: () => Made) => Made): Factory<Made> {
  return (schemas, options) => {
    const compile = factory(schemas, options);
    return (route) => {
      let made: Made | undefined;
      return put(() => {
        made ??= compile(route);
        return made;
      });
    };
  };
}
