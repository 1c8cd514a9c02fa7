// Trees of schemas, including every schema of the hub's own document.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operationsOf } from './operations.ts';
import { type SchemaNode, treeOf } from './schema-tree.ts';
import type { ApiDocument, Schema } from './wire.ts';

const EMPTY: ApiDocument = { info: { title: '', version: '' }, paths: {} };
const tree = (schema: Schema, schemas: Record<string, Schema> = {}) =>
  treeOf({ ...EMPTY, components: { schemas } }, schema);
const short = (node: SchemaNode): string =>
  `${node.name}${node.isRequired ? '!' : ''}: ${[node.type, ...node.notes, ...node.values].join(', ')}`;

describe('a member', () => {
  test.each<[Schema, string]>([
    [{ type: 'string', minLength: 1, maxLength: 80 }, 'string, 1 to 80 characters'],
    [{ type: 'string', maxLength: 1 }, 'string, at most 1 character'],
    [{ type: 'string', format: 'uuid', pattern: '^.$' }, 'string, uuid'],
    [{ type: 'string', pattern: '^a$' }, 'string, matches ^a$'],
    [{ type: 'integer', minimum: 0, maximum: 9, default: 3 }, 'integer, 0 to 9, default: 3'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'number, more than 0'],
    [{ type: 'array', items: { type: 'string' }, maxItems: 5 }, 'list of string, at most 5 items'],
    [{ enum: ['a', 'b'] }, 'string, a, b'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] }, 'string, a, b, null'],
    [
      { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
      'string or null, at most 3 characters',
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string or number'],
    [{ type: 'string', writeOnly: true }, 'string, write-only'],
    [{}, 'anything'],
  ])('%j', (schema, said) => {
    const { children } = tree({ type: 'object', properties: { one: schema }, required: ['one'] });
    expect(children.map(short)).toEqual([`one!: ${said}`]);
  });

  test('lists members of arrays, maps, alternatives and references', () => {
    const { children } = tree(
      {
        type: 'object',
        properties: {
          list: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
          map: { type: 'object', additionalProperties: { type: 'boolean' } },
          choice: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'string' }] },
        },
      },
      { Thing: { type: 'object', title: 'Thing', properties: { a: { type: 'string' } } } },
    );
    expect(children.map((one) => [short(one), one.children.map(short)])).toEqual([
      ['list: list of object', ['each: object']],
      ['map: object', ['any name: boolean']],
      ['choice: one of these', ['option 1: object', 'option 2: string']],
    ]);
    expect(children[0]?.children[0]?.children.map(short)).toEqual(['a: string']);
  });
});

test('ends a recursive schema at its repetition', () => {
  const Tree: Schema = {
    type: 'object',
    properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  };
  const whole = tree({ $ref: '#/components/schemas/Tree' }, { Tree });
  expect(short(whole.children[0]?.children[0] as SchemaNode)).toBe('each: Tree, same as above');
});

test('every schema of the hub is read, none is cut', () => {
  const file = join(import.meta.dirname, '../../../openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as ApiDocument;
  const said: string[] = [];
  const walk = (node: SchemaNode) => {
    said.push(short(node));
    for (const one of node.children) walk(one);
  };
  for (const operation of operationsOf(document)) {
    if (operation.body !== null) walk(treeOf(document, operation.body.schema));
    for (const { answer } of operation.answers) {
      for (const { schema } of Object.values(answer.content ?? {})) {
        walk(treeOf(document, schema ?? {}));
      }
    }
  }
  expect(said.length).toBeGreaterThan(5_000);
  expect(said.filter((one) => one.includes('further up'))).toEqual([]);
});
