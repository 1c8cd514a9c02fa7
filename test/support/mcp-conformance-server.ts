// A server with everything that the official conformance suite requires, on the SDK of either revision: the suite tests
// the messages that pass through the gateway, so the server behind it is the official one.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import {
  type Any,
  boolean,
  form,
  PLAIN,
  PROGRESS,
  PROMPTS,
  prompt,
  RESOURCES,
  read,
  sampling,
  string,
  TEMPLATES,
  text,
  tools,
  user,
} from './mcp-conformance-content.ts';
import { listening, relayed } from './mcp-talking-servers.ts';

// The newest revision.

const secret = randomBytes(32);
const signed = (state: string) =>
  `${state}.${createHmac('sha256', secret).update(state).digest('base64url')}`;
const isSigned = (state: unknown) =>
  typeof state === 'string' && signed(state.slice(0, state.lastIndexOf('.'))) === state;

const NAME = { user_name: form('What is your name?', { name: string }) };
const ROOTS = { method: 'roots/list', params: {} };
interface Step {
  ask: Record<string, object>;
  state?: string;
}
const ASKING: Record<string, Step[]> = {
  test_input_required_result_elicitation: [{ ask: NAME }],
  test_input_required_result_sampling: [
    { ask: { capital_question: sampling('What is the capital of France?', 100) } },
  ],
  test_input_required_result_list_roots: [{ ask: { client_roots: ROOTS } }],
  test_input_required_result_request_state: [
    { ask: { confirm: form('Please confirm', { ok: boolean }) }, state: 'first' },
  ],
  test_input_required_result_multiple_inputs: [
    {
      ask: { ...NAME, greeting: sampling('Generate a greeting', 50), client_roots: ROOTS },
      state: 'first',
    },
  ],
  test_input_required_result_multi_round: [
    { ask: { step1: form('Step 1: What is your name?', { name: string }) }, state: 'first' },
    {
      ask: { step2: form('Step 2: What is your favorite color?', { color: string }) },
      state: 'two',
    },
  ],
  test_input_required_result_tampered_state: [
    { ask: { confirm: form('Please confirm', { ok: boolean }) }, state: 'first' },
  ],
  test_input_required_result_capabilities: [
    { ask: { ...NAME, capital_question: sampling('What is the capital of France?', 100) } },
  ],
};
const PROMPT_STEPS: Step[] = [
  { ask: { user_context: form('What context should the prompt use?', { context: string }) } },
];

const NEEDS: Record<string, string> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** The next thing to ask; null where everything was answered. */
function next(steps: Step[], params: Any): object | null {
  const { capabilities } = params;
  const { requestState, inputResponses = {} } = params;
  if (requestState !== undefined && !isSigned(requestState)) {
    throw new ProtocolError(-32602, 'Invalid requestState');
  }
  const at = steps.findIndex(({ state }) => state !== undefined && requestState === signed(state));
  const step = steps[Math.max(at, 0)] as Step;
  const mayAsk = Object.entries(step.ask).filter(([, question]) => {
    const need = NEEDS[(question as { method: string }).method] ?? '';
    return capabilities[need] !== undefined;
  });
  const isAnswered = mayAsk.every(
    ([key]) =>
      typeof inputResponses[key] === 'object' &&
      inputResponses[key] !== null &&
      (inputResponses[key].action !== undefined ||
        inputResponses[key].role !== undefined ||
        inputResponses[key].roots !== undefined),
  );
  const asking =
    isAnswered && (step.state === undefined || at >= 0) ? steps[at < 0 ? 1 : at + 1] : step;
  if (asking === undefined) return null;
  if (mayAsk.length === 0) {
    throw new ProtocolError(-32021, 'Missing capability', {
      requiredCapabilities: { elicitation: {} },
    });
  }
  const allowed = new Set(asking === step ? mayAsk.map(([key]) => key) : Object.keys(asking.ask));
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      Object.entries(asking.ask).filter(([key]) => allowed.has(key)),
    ),
    ...(asking.state === undefined ? {} : { requestState: signed(asking.state) }),
  };
}

/** On the newest SDK, without sessions. */
export async function modernConformanceServer() {
  const names = [
    ...Object.keys(PLAIN),
    ...Object.keys(ASKING),
    'test_tool_with_progress',
    'test_missing_capability',
    'test_logging_tool',
    'test_streaming_elicitation',
  ];
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: 'conformance', version: '1' },
      {
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
        },
      },
    ) as Any;
    server.setRequestHandler('tools/list', () => ({ tools: tools(names) }));
    server.setRequestHandler('tools/call', async ({ params }: Any, context: Any) => {
      const full = {
        ...params,
        inputResponses: context.mcpReq.inputResponses,
        requestState: context.mcpReq.requestState(),
        capabilities:
          context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ??
          context.mcpReq.envelope?.clientCapabilities ??
          {},
      };
      if (PLAIN[params.name] !== undefined) return PLAIN[params.name]?.();
      const steps = ASKING[params.name];
      if (steps !== undefined) {
        return (
          next(steps, full) ?? {
            content: [
              text(
                `Hello, ${full.inputResponses?.user_name?.content?.name}! ${JSON.stringify(full.inputResponses)} state-ok`,
              ),
            ],
          }
        );
      }
      if (params.name === 'test_logging_tool') {
        await context.mcpReq.log?.('info', 'a word of the log');
        return { content: [text('fine')] };
      }
      if (params.name === 'test_streaming_elicitation') {
        return next([{ ask: NAME }], full) ?? { content: [text('fine')] };
      }
      if (params.name === 'test_missing_capability') {
        throw new ProtocolError(-32021, 'Missing capability', {
          requiredCapabilities: { sampling: {} },
        });
      }
      if (params.name === 'test_tool_with_progress') {
        const progressToken = context.mcpReq._meta?.progressToken;
        for (const progress of PROGRESS) {
          if (progressToken === undefined) break;
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: {
              progressToken,
              progress,
              total: 100,
              message: `Completed step ${progress} of 100`,
            },
          });
        }
        return { content: [text(String(progressToken))] };
      }
      throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
    });
    server.setRequestHandler('resources/list', () => RESOURCES);
    server.setRequestHandler('resources/templates/list', () => TEMPLATES);
    server.setRequestHandler('resources/read', ({ params: { uri } }: Any) => {
      const found = read(uri);
      if (found === null) throw new ProtocolError(-32602, 'Resource not found', { uri });
      return found;
    });
    server.setRequestHandler('prompts/list', () => ({
      prompts: [...PROMPTS, { name: 'test_input_required_result_prompt', description: 'Asks' }],
    }));
    server.setRequestHandler('prompts/get', ({ params }: Any, context: Any) => {
      const full = {
        ...params,
        inputResponses: context.mcpReq.inputResponses,
        requestState: context.mcpReq.requestState(),
        capabilities:
          context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ??
          context.mcpReq.envelope?.clientCapabilities ??
          {},
      };
      if (params.name === 'test_input_required_result_prompt') {
        return next(PROMPT_STEPS, full) ?? { messages: [user(text('Prompt with context'))] };
      }
      const found = prompt(params.name, params.arguments);
      if (found === null) throw new ProtocolError(-32602, 'Unknown prompt');
      return found;
    });
    server.setRequestHandler('completion/complete', () => ({
      completion: { values: ['paris', 'park'] },
    }));
    return server;
  });
  return listening((request, response, body) => relayed(handler, request, response, body));
}

// The revision before.

const DEFAULTS = form(
  'Please review and update the form fields with defaults',
  {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  [],
);
const titled = ['1', '2', '3'].map((n) => ({ const: `value${n}`, title: `Option ${n}` }));
const ENUMS = form('Please select options from the enum fields', {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2'] } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
});

/** On the SDK of before, with sessions. */
export async function conformanceServerOfBefore() {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const names = [
    ...Object.keys(PLAIN),
    ...['test_tool_with_logging', 'test_tool_with_progress', 'test_sampling', 'test_elicitation'],
    ...['test_elicitation_sep1034_defaults', 'test_elicitation_sep1330_enums', 'test_reconnection'],
  ];
  async function begin() {
    const server = new OldServer(
      { name: 'conformance', version: '1' },
      {
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          logging: {},
          completions: {},
        },
      },
    ) as Any;
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools(names) }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }: Any, extra: Any) => {
      const { name, arguments: given = {}, _meta } = params;
      const elicit = (question: object) => extra.sendRequest(question, ElicitResultSchema);
      const contentOf = (answer: Any) => ({
        content: [
          text(
            `User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`,
          ),
        ],
      });
      if (PLAIN[name] !== undefined) return PLAIN[name]?.();
      if (name === 'test_tool_with_logging') {
        for (const data of [
          'Tool execution started',
          'Tool processing data',
          'Tool execution completed',
        ]) {
          await extra.sendNotification({
            method: 'notifications/message',
            params: { level: 'info', data },
          });
        }
        return { content: [text('fine')] };
      }
      if (name === 'test_tool_with_progress') {
        const progressToken = _meta?.progressToken ?? 0;
        for (const progress of PROGRESS) {
          await extra.sendNotification({
            method: 'notifications/progress',
            params: {
              progressToken,
              progress,
              total: 100,
              message: `Completed step ${progress} of 100`,
            },
          });
        }
        return { content: [text(String(progressToken))] };
      }
      if (name === 'test_sampling') {
        const answer = await extra.sendRequest(
          sampling(given.prompt, 100),
          CreateMessageResultSchema,
        );
        return { content: [text(`LLM response: ${answer.content.text}`)] };
      }
      if (name === 'test_elicitation')
        return contentOf(await elicit(form(given.message, { response: string })));
      if (name === 'test_elicitation_sep1034_defaults') return contentOf(await elicit(DEFAULTS));
      if (name === 'test_elicitation_sep1330_enums') return contentOf(await elicit(ENUMS));
      if (name === 'test_reconnection') {
        extra.closeSSEStream?.();
        return { content: [text('Reconnection test completed successfully')] };
      }
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
    });
    server.setRequestHandler(ListResourcesRequestSchema, () => RESOURCES);
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => TEMPLATES);
    server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }: Any) => {
      const found = read(uri);
      if (found === null) throw new McpError(-32002, 'Resource not found', { uri });
      return found;
    });
    server.setRequestHandler(SubscribeRequestSchema, () => ({}));
    server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
    server.setRequestHandler(SetLevelRequestSchema, () => ({}));
    server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPTS }));
    server.setRequestHandler(GetPromptRequestSchema, ({ params }: Any) => {
      const found = prompt(params.name, params.arguments);
      if (found === null) throw new McpError(ErrorCode.InvalidParams, 'Unknown prompt');
      return found;
    });
    server.setRequestHandler(CompleteRequestSchema, () => ({ completion: { values: ['paris'] } }));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    });
    await server.connect(transport);
    return transport;
  }
  return listening(async (request, response, body) => {
    const known = transports.get(String(request.headers['mcp-session-id']));
    const parsed = body.length === 0 ? undefined : JSON.parse(body.toString());
    if (known !== undefined) return known.handleRequest(request, response, parsed);
    if (parsed?.method !== 'initialize') return void response.writeHead(404).end();
    await (await begin()).handleRequest(request, response, parsed);
  });
}
