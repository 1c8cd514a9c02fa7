// A request after its body was read, as the steps of the pipeline evaluate it. Texts, words and tokens are computed when a step
// first needs them, because most requests need none of them.
import type { ApiFamily, LlmCall, TextPart } from '../policy/index.ts';
import type { Incoming } from './incoming.ts';
import type { ClientApi } from './operations.ts';
import { Refusal } from './refusal.ts';
import { type JsonObject, RequestBody, readBytes } from './request-body.ts';
import { collectTexts, countWords } from './texts.ts';
import { estimateTokens } from './tokenizer.ts';

/** Members in which the APIs name the limit of an answer, from the most common on. */
const OUTPUT_LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

export class Call implements LlmCall {
  readonly id: string;
  readonly family: ApiFamily;
  readonly headers: Readonly<Record<string, string>>;
  readonly clientIp: string;
  readonly model: string | null;
  readonly stream: boolean;
  readonly maxOutputTokens: number | null;
  readonly receivedAt: number;
  readonly api: ClientApi;
  readonly body: RequestBody;
  /** The variable end of the client's path, as a provider's path continues it (providers/table.ts). */
  readonly rest: string;
  #texts: readonly TextPart[] | null = null;
  #inputTokens: number | null = null;

  constructor(incoming: Incoming, body: RequestBody) {
    const { api } = incoming;
    const { model, rest } = readPath(incoming, body);
    this.id = incoming.id;
    this.family = api.family;
    this.headers = incoming.headers;
    this.clientIp = incoming.clientIp;
    this.receivedAt = incoming.receivedAt;
    this.api = api;
    this.body = body;
    this.model = model;
    this.rest = rest;
    this.stream = readStream(incoming, body.json, rest);
    this.maxOutputTokens = readOutputLimit(body.json);
  }

  /** Reads the body of a request. Throws a Refusal for a body that the API cannot have. */
  static async read(incoming: Incoming): Promise<Call> {
    const hasBody = incoming.api.method === 'POST';
    const bytes = hasBody ? await readBytes(incoming.request) : Buffer.alloc(0);
    return new Call(incoming, new RequestBody(bytes, incoming.headers['content-type'] ?? ''));
  }

  get texts(): readonly TextPart[] {
    this.#texts ??= collectTexts(this.body.json);
    return this.#texts;
  }

  get inputTokens(): number {
    this.#inputTokens ??= estimateTokens(this.texts.map(({ text }) => text));
    return this.#inputTokens;
  }

  get words(): number {
    return countWords(this.texts);
  }

  /** Replaces texts of the body. Later steps see the new texts. */
  replaceTexts(parts: readonly Pick<TextPart, 'path' | 'text'>[]): void {
    this.body.replaceTexts(parts);
    if (parts.length > 0) this.#texts = null;
  }

  /** Replaces the JSON of the body. Later steps see the new texts. */
  replaceJson(json: JsonObject): void {
    this.body.replaceJson(json);
    this.#texts = null;
  }
}

/** Returns the model, and the end of the path. Throws a Refusal with 400 or 404. */
function readPath(
  { api, params, url }: Incoming,
  body: RequestBody,
): { model: string | null; rest: string } {
  if (api.operation === 'gemini') {
    const [, model = '', action = ''] = /^(.*):([a-zA-Z]+)$/.exec(params['*'] ?? '') ?? [];
    if (!GEMINI_ACTIONS.has(action)) {
      throw new Refusal(404, 'unknown_method', `The method "${action}" is not supported.`);
    }
    return { model, rest: action };
  }
  if (api.operation === 'assistants')
    return { model: readModel(body), rest: url.replace(/^\/v1/, '') };
  if (api.model === 'path') return { model: params.model ?? null, rest: '' };
  if (api.model === 'none') return { model: null, rest: '' };
  if (api.model === 'query') {
    const query = new URL(url, 'http://node').searchParams;
    return { model: query.get('model') ?? query.get('deployment'), rest: '' };
  }
  const model = readModel(body);
  const isOptional = api.operation === 'indic_language';
  if (model === null && !isOptional) {
    throw new Refusal(400, 'model_required', 'Name a model in the member "model" of the body.');
  }
  return { model, rest: isOptional ? url : '' };
}

const GEMINI_ACTIONS = new Set([
  'generateContent',
  'streamGenerateContent',
  'countTokens',
  'embedContent',
  'batchEmbedContents',
]);

function readModel(body: RequestBody): string | null {
  const model = body.bytes.length === 0 ? undefined : body.read('model');
  return typeof model === 'string' && model !== '' && model.length <= 512 ? model : null;
}

function readStream({ api, url }: Incoming, json: JsonObject | null, rest: string): boolean {
  if (api.stream === 'never') return false;
  if (api.operation === 'gemini') return rest.startsWith('stream');
  if (api.stream === 'path') return url.includes('stream');
  return json?.stream === true || json?.stream_format === 'sse';
}

function readOutputLimit(json: JsonObject | null): number | null {
  if (json === null) return null;
  const sections = [json, json.generationConfig, json.inferenceConfig, json.generation_config];
  for (const section of sections as (JsonObject | undefined)[]) {
    for (const name of [...OUTPUT_LIMITS, 'maxOutputTokens', 'maxTokens']) {
      const value = section?.[name];
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    }
  }
  return null;
}
