// Compiles schemas of routes at their first use. The start of the hub would otherwise compile hundreds of schemas.
import ajvCompiler from '@fastify/ajv-compiler';
import serializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;
type Validate = ((data: unknown) => unknown) & { errors?: unknown };
/** Creates a compiler, which compiles a route's schema to a function over its data. */
type Factory<Compiled> = (schemas: unknown, options: unknown) => (route: unknown) => Compiled;

/** The compiler caches by options and schema. Successive hubs in a process share the cache. */
const buildValidator = ajvCompiler() as unknown as Factory<Validate>;
type Serialize = (data: unknown) => string;
const buildSerializer = serializerCompiler() as unknown as Factory<Serialize>;
/** Serializers by schema, shared by routes and by successive hubs in a process. */
const serializers = new WeakMap<object, Serialize>();

/** Returns Fastify's default compilers, each of which compiles at its first call. */
export function lazyCompilers(): Factories {
  return {
    buildValidator: deferCompilation(buildValidator, (compiled) => {
      const validate: Validate = (data) => {
        const isValid = compiled()(data);
        // Fastify reads the errors from the function that it called.
        validate.errors = compiled().errors;
        return isValid;
      };
      return validate;
    }),
    buildSerializer: deferCompilation(
      createCachingCompiler,
      (compiled) => (data: unknown) => compiled()(data),
    ),
  } as Factories;
}

/** Returns a compiler that caches by schema. Shared schemas and options change the result, so they disable the cache. */
function createCachingCompiler(schemas: unknown, options: unknown): (route: unknown) => Serialize {
  const compile = buildSerializer(schemas, options);
  if ([schemas, options].some((input) => Object.keys(input ?? {}).length > 0)) return compile;
  return (route) => {
    const { schema } = route as { schema: unknown };
    // A schema may be `true`.
    if (typeof schema !== 'object' || schema === null) return compile(route);
    const serializer = serializers.get(schema) ?? compile(route);
    serializers.set(schema, serializer);
    return serializer;
  };
}

function deferCompilation<Compiled>(
  factory: Factory<Compiled>,
  wrap: (compiled: () => Compiled) => Compiled,
): Factory<Compiled> {
  return (schemas, options) => {
    const compile = factory(schemas, options);
    return (route) => {
      let compiled: Compiled | undefined;
      return wrap(() => {
        compiled ??= compile(route);
        return compiled;
      });
    };
  };
}
