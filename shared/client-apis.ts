// The client-facing APIs of the gateway that generate text, and a short request in the shape of each. The console shows the
// request as a snippet, and the hub sends it as a test.
import type { ProviderType } from './wire/management/providers.ts';

/** Chat Completions, Responses, Anthropic Messages, Gemini `generateContent` and Bedrock `Converse`. */
export type TextApi = 'chat' | 'responses' | 'messages' | 'gemini' | 'converse';

/** Provider types without an entry generate no text by a request: embeddings, rerank, assistants and realtime. */
const TEXT_APIS: Partial<Record<ProviderType, TextApi>> = {
  vendorA: 'chat',
  vendorB_vendorA: 'chat',
  general: 'chat',
  gw_ai: 'chat',
  vendorC: 'messages',
  vendorC_messages: 'messages',
  vendorC_messages_vendorG: 'messages',
  vendorC_messages_vendorB: 'messages',
  vendorD: 'chat',
  vendorE_ai: 'gemini',
  vendorE_chatcompletions: 'chat',
  vendorF: 'chat',
  vendorA_responses: 'responses',
  vendorA_responses_vendorB: 'responses',
  vendorF_responses: 'responses',
  vendorG: 'converse',
  vendorK: 'chat',
};

/** Returns the API that generates text with a provider type; null if the type generates none. */
export const textApiOf = (type: ProviderType): TextApi | null => TEXT_APIS[type] ?? null;

/** The version that Anthropic's API requires as the header `anthropic-version`. */
export const MESSAGES_VERSION = '2023-06-01';
const ANSWER_TOKENS = 256;

export interface ShortRequest {
  /** The path at the gateway. */
  path: string;
  headers: Record<string, string>;
  body: object;
}

/** Returns a request that sends a prompt of a user. The caller adds the app key as a bearer token. */
export function shortRequest(api: TextApi, model: string, prompt: string): ShortRequest {
  const headers = { 'content-type': 'application/json' };
  const named = encodeURIComponent(model);
  const messages = [{ role: 'user', content: prompt }];
  switch (api) {
    case 'chat':
      return { path: '/v1/chat/completions', headers, body: { model, messages } };
    case 'responses':
      return { path: '/v1/responses', headers, body: { model, input: prompt } };
    case 'messages':
      return {
        path: '/v1/messages',
        headers: { ...headers, 'anthropic-version': MESSAGES_VERSION },
        body: { model, max_tokens: ANSWER_TOKENS, messages },
      };
    case 'gemini':
      return {
        path: `/v1beta/models/${named}:generateContent`,
        headers,
        body: { contents: [{ role: 'user', parts: [{ text: prompt }] }] },
      };
    case 'converse':
      return {
        path: `/model/${named}/converse`,
        headers,
        body: { messages: [{ role: 'user', content: [{ text: prompt }] }] },
      };
  }
}
