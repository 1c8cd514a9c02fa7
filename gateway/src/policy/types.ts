// The vocabulary of the pipeline: a request as every client-facing API describes it, and the verdict of a step.
import type { AppMode } from '@gatewarden/shared/wire/management/app-config.ts';

/** The client-facing API of a request. It decides the shape of errors and where a body keeps its texts. */
export type ApiFamily =
  | 'openai'
  | 'anthropic'
  | 'google'
  | 'bedrock'
  | 'azure_openai'
  | 'cohere'
  | 'sdk_check'
  | 'studio_check';

/** An app as `GET /node/v1/config` delivers it. The sections of `config` are valid against their schemas. */
export interface AppDocument {
  app_id: string;
  name: string;
  mode: AppMode;
  enabled: boolean;
  provider_labels: readonly string[];
  /** Replaces the sections of `config` that are governed while the tenant's policy authority is enabled. */
  policy_baseline: unknown;
  config: Readonly<Record<string, unknown>>;
}

/** A request after it was read, before anything was decided. Steps never change it: they return a verdict. */
export interface LlmCall {
  id: string;
  family: ApiFamily;
  /** Headers with names in lower case; repeated headers are joined with a comma. */
  headers: Readonly<Record<string, string>>;
  /** The address of the client: an IPv4 or IPv6 address without port. */
  clientIp: string;
  /** The model that the client asked for; null where the API has none. */
  model: string | null;
  stream: boolean;
  /** The texts of the request that guardrails inspect, in order, with the JSON path of each in the body. */
  texts: readonly TextPart[];
  /** An estimate by tokenizer. */
  inputTokens: number;
  /** The limit that the client set for the response, or null. */
  maxOutputTokens: number | null;
  words: number;
  receivedAt: number;
}

export interface TextPart {
  path: readonly (string | number)[];
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
}

/** The identity of the person or service behind a request. */
export interface CallerIdentity {
  email: string | null;
  subject: string | null;
  smartGroups: readonly string[];
  source: 'header' | 'jwt' | 'none';
}

/** A step either lets the request pass with a value, or refuses it with a status and a sentence for the client. */
export type Verdict<T = undefined> = Passed<T> | Refused;
export interface Passed<T> {
  passed: true;
  value: T;
}
export interface Refused {
  passed: false;
  status: 400 | 401 | 403 | 404 | 413 | 429 | 503;
  /** A stable code for logs and metrics, for example `source_address_denied`. */
  code: string;
  /** A sentence for the client: the reason, then the remedy. Never a secret. */
  reason: string;
  /** Seconds until a repetition can succeed, for 429 and 503. */
  retryAfterSeconds?: number;
}
