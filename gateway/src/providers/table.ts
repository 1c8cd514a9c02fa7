// All provider types as one table: the default address, the authentication, and the upstream path of each operation that
// the type offers. An operation that a row leaves out is refused with a clear error.
import type {
  ProviderSettings,
  ProviderType,
} from '@gatewarden/shared/wire/management/providers.ts';
import type { Operation } from '../entry/operations.ts';

/** The way in which a request proves to the provider who sends it. */
export type Authentication =
  | 'bearer'
  | 'x-api-key'
  | 'api-key'
  | 'api-subscription-key'
  | 'google'
  | 'aws'
  | 'oracle';

/** The facts of a call that determine its upstream path. */
export interface PathFacts {
  settings: ProviderSettings;
  model: string;
  stream: boolean;
  /** The part of the client's path after the last fixed part: a thread, or a Gemini method. */
  rest: string;
}

/**
 * Changes of a body, besides its model:
 * - `none`: the bytes pass unchanged.
 * - `messages_by_invoke`: Anthropic messages as a Bedrock invocation (`anthropic_version`, no `model`, no `stream`).
 * - `rerank_by_invoke`: a Cohere rerank as a Bedrock invocation (`api_version`, no `model`).
 */
export type BodyChange = 'none' | 'messages_by_invoke' | 'rerank_by_invoke';

export interface Endpoint {
  path: (facts: PathFacts) => string;
  body?: BodyChange;
}

export interface ProviderRow {
  /** The address without `base_url`; null: `base_url` is required. */
  address: ((settings: ProviderSettings) => string) | null;
  authentication: Authentication;
  endpoints: Partial<Record<Operation, Endpoint>>;
}

const fixed = (path: string): Endpoint => ({ path: () => path });

const CHAT = { chat: fixed('/chat/completions') };
const OPENAI_ENDPOINTS = {
  ...CHAT,
  completions: fixed('/completions'),
  embeddings: fixed('/embeddings'),
  speech: fixed('/audio/speech'),
  transcriptions: fixed('/audio/transcriptions'),
};
const RESPONSES = { responses: fixed('/responses') };
const RERANK = { rerank: fixed('/rerank') };
const ASSISTANTS = { assistants: { path: ({ rest }: PathFacts) => rest } };
const MESSAGES = { messages: fixed('/messages'), count_tokens: fixed('/messages/count_tokens') };

const openai = () => 'https://api.openai.com/v1';
const anthropic = () => 'https://api.anthropic.com/v1';
const withoutSlash = (text: unknown) => String(text ?? '').replace(/\/+$/, '');
const azure = (settings: ProviderSettings) => withoutSlash(settings.vendorB_endpoint);

const azureVersion = (
  { vendorB_api_version: version }: ProviderSettings,
  fallback = '2024-10-21',
) => `api-version=${encodeURIComponent(String(version ?? fallback))}`;
const deployment = (path: string): Endpoint => ({
  path: ({ settings, model }) =>
    `/openai/deployments/${encodeURIComponent(model)}/${path}?${azureVersion(settings)}`,
});

const vertex = ({ vendorE_region: region, auth_type: mode }: ProviderSettings) =>
  region === 'global' || mode === 'express'
    ? 'https://aiplatform.googleapis.com'
    : `https://${region}-aiplatform.googleapis.com`;
const vertexProject = ({ vendorE_project_id: project, vendorE_region: region }: ProviderSettings) =>
  `/v1/projects/${encodeURIComponent(String(project))}/locations/${encodeURIComponent(String(region))}`;
const gemini: Endpoint = {
  path: ({ settings, model, rest, stream }) => {
    const place = settings.auth_type === 'express' ? '/v1' : vertexProject(settings);
    const query = stream ? '?alt=sse' : '';
    return `${place}/publishers/google/models/${encodeURIComponent(model)}:${rest}${query}`;
  },
};

const bedrock = ({ vendorG_region: region }: ProviderSettings) =>
  `https://bedrock-runtime.${region}.amazonaws.com`;
const bedrockModel = (action: string): Endpoint => ({
  path: ({ model, stream }) =>
    `/model/${encodeURIComponent(model)}/${action}${stream ? STREAM_SUFFIX[action] : ''}`,
});
const STREAM_SUFFIX: Readonly<Record<string, string>> = {
  invoke: '-with-response-stream',
  converse: '-stream',
};

const oracle = ({ vendorF_region: region }: ProviderSettings) =>
  `https://inference.generativeai.${region}.oci.oraclecloud.com/openai/v1`;

const AZURE_MESSAGES = {
  messages: fixed('/anthropic/v1/messages'),
  count_tokens: fixed('/anthropic/v1/messages/count_tokens'),
};

export const PROVIDER_TABLE: Readonly<Record<ProviderType, ProviderRow>> = {
  vendorA: { address: openai, authentication: 'bearer', endpoints: OPENAI_ENDPOINTS },
  vendorB_vendorA: {
    address: azure,
    authentication: 'api-key',
    endpoints: {
      chat: deployment('chat/completions'),
      completions: deployment('completions'),
      embeddings: deployment('embeddings'),
      speech: deployment('audio/speech'),
      transcriptions: deployment('audio/transcriptions'),
    },
  },
  general: {
    address: null,
    authentication: 'bearer',
    endpoints: { ...OPENAI_ENDPOINTS, ...RESPONSES, ...RERANK },
  },
  gw_ai: {
    address: null,
    authentication: 'bearer',
    endpoints: { ...OPENAI_ENDPOINTS, ...RESPONSES, ...RERANK },
  },
  vendorC: { address: anthropic, authentication: 'x-api-key', endpoints: { ...CHAT, ...MESSAGES } },
  vendorC_messages: { address: anthropic, authentication: 'x-api-key', endpoints: MESSAGES },
  vendorC_messages_vendorG: {
    address: bedrock,
    authentication: 'aws',
    endpoints: { messages: { ...bedrockModel('invoke'), body: 'messages_by_invoke' } },
  },
  vendorC_messages_vendorB: {
    address: azure,
    authentication: 'x-api-key',
    endpoints: AZURE_MESSAGES,
  },
  vendorD: { address: null, authentication: 'bearer', endpoints: OPENAI_ENDPOINTS },
  vendorE_ai: { address: vertex, authentication: 'google', endpoints: { gemini } },
  vendorE_chatcompletions: {
    address: vertex,
    authentication: 'google',
    endpoints: {
      chat: {
        path: ({ settings }) => `${vertexProject(settings)}/endpoints/openapi/chat/completions`,
      },
    },
  },
  vendorF: { address: oracle, authentication: 'oracle', endpoints: CHAT },
  vendorA_responses: { address: openai, authentication: 'bearer', endpoints: RESPONSES },
  vendorA_responses_vendorB: {
    address: azure,
    authentication: 'api-key',
    endpoints: {
      responses: {
        path: ({ settings }) =>
          settings.vendorB_api_version === undefined
            ? '/openai/v1/responses'
            : `/openai/responses?${azureVersion(settings)}`,
      },
    },
  },
  vendorF_responses: { address: oracle, authentication: 'oracle', endpoints: RESPONSES },
  vendorA_assistants: { address: openai, authentication: 'bearer', endpoints: ASSISTANTS },
  vendorA_assistants_vendorB: {
    address: azure,
    authentication: 'api-key',
    endpoints: {
      assistants: {
        path: ({ rest, settings }) => {
          const mark = rest.includes('?') ? '&' : '?';
          return `/openai${rest}${mark}${azureVersion(settings, '2024-05-01-preview')}`;
        },
      },
    },
  },
  vendorA_realtime: {
    address: openai,
    authentication: 'bearer',
    endpoints: {
      realtime: { path: ({ model }) => `/realtime?model=${encodeURIComponent(model)}` },
    },
  },
  vendorA_realtime_vendorB: {
    address: azure,
    authentication: 'api-key',
    endpoints: {
      realtime: {
        path: ({ model, settings }) =>
          `/openai/realtime?${azureVersion(settings, '2024-10-01-preview')}&deployment=${encodeURIComponent(model)}`,
      },
    },
  },
  vendorG: {
    address: bedrock,
    authentication: 'aws',
    endpoints: {
      chat: fixed('/openai/v1/chat/completions'),
      invoke: bedrockModel('invoke'),
      converse: bedrockModel('converse'),
    },
  },
  vendorG_embeddings: {
    address: bedrock,
    authentication: 'aws',
    endpoints: { invoke: bedrockModel('invoke') },
  },
  vendorH_rerank: { address: null, authentication: 'bearer', endpoints: RERANK },
  vendorG_rerank: {
    address: bedrock,
    authentication: 'aws',
    endpoints: {
      rerank: { ...bedrockModel('invoke'), body: 'rerank_by_invoke' },
      invoke: bedrockModel('invoke'),
    },
  },
  vendorI_rerank: { address: null, authentication: 'bearer', endpoints: RERANK },
  vendorJ_rerank: { address: null, authentication: 'bearer', endpoints: RERANK },
  general_rerank: { address: null, authentication: 'bearer', endpoints: RERANK },
  vendorK: {
    address: () => 'https://api.sarvam.ai',
    authentication: 'api-subscription-key',
    endpoints: {
      chat: fixed('/v1/chat/completions'),
      indic_language: { path: ({ rest }) => rest },
    },
  },
};
