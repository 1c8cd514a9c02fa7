// The client-facing APIs as data: the path of each, the format of its errors, and the location of the model's name.
// Paths are Fastify's; the model of a Gemini or Bedrock request is part of its path.
import type { ApiFamily } from '../policy/index.ts';

/** An action at a provider. A provider type lists the operations that it offers (providers/table.ts). */
export type Operation =
  | 'chat'
  | 'completions'
  | 'responses'
  | 'embeddings'
  | 'rerank'
  | 'speech'
  | 'transcriptions'
  | 'assistants'
  | 'messages'
  | 'count_tokens'
  | 'gemini'
  | 'invoke'
  | 'converse'
  | 'indic_language'
  | 'realtime'
  | 'check';

export interface ClientApi {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  family: ApiFamily;
  operation: Operation;
  /** Place of the model in a request. */
  model: 'body' | 'path' | 'query' | 'form' | 'none';
  /** Place of the wish for a stream. */
  stream: 'body' | 'path' | 'never';
}

const post = (
  path: string,
  operation: Operation,
  family: ApiFamily = 'openai',
  more: Partial<ClientApi> = {},
): ClientApi => ({
  method: 'POST',
  path,
  family,
  operation,
  model: 'body',
  stream: 'body',
  ...more,
});

const AZURE = '/openai/deployments/:model';
const azure = (path: string, operation: Operation, more: Partial<ClientApi> = {}): ClientApi =>
  post(`${AZURE}/${path}`, operation, 'azure_openai', { model: 'path', ...more });

const inPath = { model: 'path', stream: 'path' } as const;
const unmodeled = { model: 'none', stream: 'never' } as const;

export const CLIENT_APIS: readonly ClientApi[] = [
  post('/v1/chat/completions', 'chat'),
  post('/v1/completions', 'completions'),
  post('/v1/responses', 'responses'),
  post('/v1/embeddings', 'embeddings', 'openai', { stream: 'never' }),
  post('/v1/rerank', 'rerank', 'cohere', { stream: 'never' }),
  post('/v2/rerank', 'rerank', 'cohere', { stream: 'never' }),
  post('/v1/audio/speech', 'speech'),
  post('/v1/audio/transcriptions', 'transcriptions', 'openai', { model: 'form', stream: 'never' }),
  ...['/v1/assistants', '/v1/threads'].flatMap((path) =>
    [path, `${path}/*`].flatMap((address) => [
      post(address, 'assistants', 'openai', { model: 'none' }),
      post(address, 'assistants', 'openai', { ...unmodeled, method: 'GET' }),
      post(address, 'assistants', 'openai', { ...unmodeled, method: 'DELETE' }),
    ]),
  ),
  post('/v1/messages', 'messages', 'anthropic'),
  post('/v1/messages/count_tokens', 'count_tokens', 'anthropic', { stream: 'never' }),
  ...['/v1beta/models/*', '/v1/models/*', '/v1beta1/publishers/google/models/*'].map((path) =>
    post(path, 'gemini', 'google', inPath),
  ),
  post('/model/:model/invoke', 'invoke', 'bedrock', { model: 'path', stream: 'never' }),
  post('/model/:model/invoke-with-response-stream', 'invoke', 'bedrock', inPath),
  post('/model/:model/converse', 'converse', 'bedrock', { model: 'path', stream: 'never' }),
  post('/model/:model/converse-stream', 'converse', 'bedrock', inPath),
  azure('chat/completions', 'chat'),
  azure('completions', 'completions'),
  azure('embeddings', 'embeddings', { stream: 'never' }),
  azure('audio/speech', 'speech'),
  azure('audio/transcriptions', 'transcriptions', { stream: 'never' }),
  ...['/translate', '/transliterate', '/text-lid', '/text-to-speech', '/speech-to-text'].map(
    (path) =>
      post(path, 'indic_language', 'openai', {
        model: path === '/speech-to-text' ? 'form' : 'body',
        stream: 'never',
      }),
  ),
];
