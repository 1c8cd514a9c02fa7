// Tools, resources and prompts that the official conformance suite requires of a server, by name.

// biome-ignore lint/suspicious/noExplicitAny: shapes of the protocol, which the suite checks
export type Any = any;

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
export const text = (words: string) => ({ type: 'text', text: words });
export const user = (content: object) => ({ role: 'user', content });
export const form = (
  message: string,
  properties: object,
  required: string[] = Object.keys(properties),
) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
});
export const sampling = (words: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [user(text(words))], maxTokens },
});
export const string = { type: 'string' };
export const boolean = { type: 'boolean' };

export const PLAIN: Record<string, () => object> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  json_schema_2020_12_tool: () => ({ content: [text('fine')] }),
  test_custom_headers: () => ({ content: [text('fine')] }),
};

export const INPUTS: Record<string, object> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: string, city: string },
      },
    },
    properties: {
      name: string,
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: string,
      email: string,
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
  test_custom_headers: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  },
  test_sampling: { type: 'object', properties: { prompt: string }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: string }, required: ['message'] },
};

export const tools = (names: readonly string[]) =>
  names.map((name) => ({
    name,
    description: `What the suite calls ${name}`,
    inputSchema: INPUTS[name] ?? { type: 'object', properties: {} },
  }));

export const RESOURCES = {
  resources: [
    { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
    { uri: 'test://watched-resource', name: 'watched', mimeType: 'text/plain' },
  ],
};
export const TEMPLATES = {
  resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
};

export function read(uri: string): object | null {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
  }
  if (uri === 'test://static-binary')
    return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  const words: Record<string, string> = {
    'test://static-text': 'This is the content of the static text resource.',
    'test://watched-resource': 'Watched resource content',
  };
  return words[uri] === undefined
    ? null
    : { contents: [{ uri, mimeType: 'text/plain', text: words[uri] }] };
}

export const PROMPTS = [
  { name: 'test_simple_prompt', description: 'Simple' },
  {
    name: 'test_prompt_with_arguments',
    description: 'With arguments',
    arguments: [
      { name: 'arg1', required: true, description: 'First' },
      { name: 'arg2', required: true, description: 'Second' },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'With a resource',
    arguments: [{ name: 'resourceUri', required: true, description: 'Which' }],
  },
  { name: 'test_prompt_with_image', description: 'With an image' },
];

export function prompt(name: string, given: Record<string, string> = {}): object | null {
  const messages: Record<string, () => object[]> = {
    test_simple_prompt: () => [user(text('This is a simple prompt for testing.'))],
    test_prompt_with_arguments: () => [
      user(text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`)),
    ],
    test_prompt_with_embedded_resource: () => [
      user({
        type: 'resource',
        resource: {
          uri: given.resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      }),
      user(text('Please process the embedded resource above.')),
    ],
    test_prompt_with_image: () => [
      user({ type: 'image', data: PNG, mimeType: 'image/png' }),
      user(text('Please analyze the image above.')),
    ],
  };
  const promptMessages = messages[name];
  return promptMessages === undefined ? null : { messages: promptMessages() };
}

export const PROGRESS = [0, 50, 100];
