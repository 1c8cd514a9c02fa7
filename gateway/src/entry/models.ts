// The models and routing groups of an app, as a list or one by its name, in the shape of OpenAI, Anthropic or Gemini.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestRecord } from '../logs/record.ts';
import type { GatewayNode } from '../node.ts';
import { type ApiFamily, listModels } from '../policy/index.ts';
import { describeError } from './error-answers.ts';
import { describeIncoming } from './incoming.ts';
import type { ClientApi } from './operations.ts';
import { Refusal } from './refusal.ts';
import { requestIdHeaders } from './relay.ts';
import { admitByHeaders } from './steps/admit.ts';
import { listProviders } from './steps/list-providers.ts';

/** Clients expect a time of creation; the configuration has none. */
const CREATED = '2026-01-01T00:00:00Z';

interface ModelFormat {
  describe(id: string): object;
  list(names: readonly string[]): object;
}

/** Registers the list of models and the retrieval of one. The name of a model can contain slashes. */
export function registerModels(server: FastifyInstance, node: GatewayNode): void {
  for (const path of ['/v1/models', '/v1/models/*', '/v1beta/models', '/v1beta/models/*']) {
    server.get(path, (request, reply) => answerModels(node, request, reply, path));
  }
}

/** Answers with the names that the app can request. A provider without a list of models adds none. */
async function answerModels(
  node: GatewayNode,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const family = familyOf(request, path);
  const api: ClientApi = {
    method: 'GET',
    path,
    family,
    operation: 'chat',
    model: 'none',
    stream: 'never',
  };
  const incoming = describeIncoming(api, request.raw, request.ip, {});
  reply.headers(requestIdHeaders(incoming.id));
  try {
    const record = new RequestRecord({ ...incoming, endpoint: api.path });
    const { tenant, app, effective } = await admitByHeaders(
      node.snapshot(),
      incoming,
      'gateway',
      record,
    );
    const names = listModels(effective.config.routing ?? {}, {
      providers: listProviders(tenant, app),
      allowedModels: effective.allowedModels,
    });
    const format = chooseFormat(family);
    const { '*': name } = request.params as { '*'?: string };
    if (name === undefined) return reply.send(format.list(names));
    if (names.includes(name)) return reply.send(format.describe(name));
    const message = `This app does not offer the model "${name.slice(0, 200)}". GET ${path.slice(0, -2)} lists its models.`;
    throw new Refusal(404, 'model_not_found', message);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { headers, body } = describeError(family, error, incoming.id);
    return reply.code(error.status).headers(headers).send(body);
  }
}

/** OpenAI, Anthropic and Gemini share a path; their SDKs differ in headers. */
function familyOf({ headers }: FastifyRequest, path: string): ApiFamily {
  if (path.startsWith('/v1beta/') || 'x-goog-api-key' in headers) return 'google';
  return 'anthropic-version' in headers ? 'anthropic' : 'openai';
}

function chooseFormat(family: ApiFamily): ModelFormat {
  if (family === 'google') return GEMINI;
  return family === 'anthropic' ? ANTHROPIC : OPENAI;
}

const OPENAI: ModelFormat = {
  describe: (id) => ({
    id,
    object: 'model',
    created: Date.parse(CREATED) / 1000,
    owned_by: 'gatewarden',
  }),
  list: (names) => ({ object: 'list', data: names.map(OPENAI.describe) }),
};

const ANTHROPIC: ModelFormat = {
  describe: (id) => ({ type: 'model', id, display_name: id, created_at: CREATED }),
  list: (names) => ({
    data: names.map(ANTHROPIC.describe),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
};

const GEMINI: ModelFormat = {
  describe: (id) => ({ name: `models/${id}`, baseModelId: id, displayName: id }),
  list: (names) => ({ models: names.map(GEMINI.describe) }),
};
