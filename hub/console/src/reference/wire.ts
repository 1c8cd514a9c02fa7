// The parts of an OpenAPI 3.1 document that the reference uses.
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  title?: string;
  description?: string;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  writeOnly?: boolean;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
}

type Content = Readonly<Record<string, { schema?: Schema }>>;

export interface Answer {
  description?: string;
  content?: Content;
  headers?: Readonly<Record<string, { description?: string; schema?: Schema }>>;
}

export interface SecurityScheme {
  type: string;
  scheme?: string;
  in?: string;
  name?: string;
  description?: string;
}

export type Security = Readonly<Record<string, readonly string[]>>;

export interface RawOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content?: Content };
  responses?: Readonly<Record<string, Answer>>;
  security?: readonly Security[];
  /** The lowest role that may call the operation. */
  'x-least-role'?: string;
}

export interface ApiDocument {
  info: { title: string; version: string };
  paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  components?: {
    schemas?: Readonly<Record<string, Schema>>;
    securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}
