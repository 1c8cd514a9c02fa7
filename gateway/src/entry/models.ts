// GET /v1/models: the models and routing groups of an app, in the shape of OpenAI or Anthropic.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestRecord } from '../logs/record.ts';
import type { GatewayNode } from '../node.ts';
import { listModels } from '../policy/index.ts';
import { describeError } from './error-answers.ts';
import { describeIncoming } from './incoming.ts';
import type { ClientApi } from './operations.ts';
import { Refusal } from './refusal.ts';
import { requestIdHeaders } from './relay.ts';
import { admitByHeaders } from './steps/admit.ts';
import { listProviders } from './steps/list-providers.ts';

/** Clients expect a time of creation; the configuration has none. */
const CREATED = '2026-01-01T00:00:00Z';

/** Answers with the names that the app can request. A provider without a list of models adds none. */
export async function answerModels(
  node: GatewayNode,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isAnthropic = request.headers['anthropic-version'] !== undefined;
  const api: ClientApi = {
    method: 'GET',
    path: '/v1/models',
    family: isAnthropic ? 'anthropic' : 'openai',
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
    return reply.send(isAnthropic ? describeForAnthropic(names) : describeForOpenAi(names));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { headers, body } = describeError(api.family, error, incoming.id);
    return reply.code(error.status).headers(headers).send(body);
  }
}

function describeForOpenAi(names: readonly string[]): object {
  const created = Date.parse(CREATED) / 1000;
  const data = names.map((id) => ({ id, object: 'model', created, owned_by: 'gatewarden' }));
  return { object: 'list', data };
}

function describeForAnthropic(names: readonly string[]): object {
  const data = names.map((id) => ({ type: 'model', id, display_name: id, created_at: CREATED }));
  return { data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null };
}
