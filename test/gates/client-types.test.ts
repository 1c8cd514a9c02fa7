// The typed client asks for no more than the API does.
import { expect, test } from 'vitest';
import { clientTypes } from '../../client/generate/types.ts';

test('what has a default may be left out of what is sent', async () => {
  const schema = {
    type: 'object',
    properties: { primary: { type: 'boolean', default: false }, label: { type: 'string' } },
    required: ['label'],
  };
  const put = {
    requestBody: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Attach' } } },
    },
    responses: { 200: { description: 'done' } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/llmgateway/x': { put } },
    components: { schemas: { Attach: schema } },
  };
  const types = await clientTypes(document, '/llmgateway');
  expect(types).toContain('primary?: boolean;');
  expect(types).toContain('label: string;');
});
