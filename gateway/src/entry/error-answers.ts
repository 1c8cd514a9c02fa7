// Errors in the shape of the API that was called, so that each vendor's SDK throws its own error class.
import type { ApiFamily } from '../policy/index.ts';
import type { Refusal } from './refusal.ts';

export interface ErrorAnswer {
  headers: Record<string, string>;
  body: object;
}

/** Types of errors by status, as OpenAI and Anthropic name them. */
const OPENAI_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  ...OPENAI_TYPES,
  413: 'request_too_large',
  503: 'overloaded_error',
};
/** Canonical codes of google.rpc.Code. */
const GOOGLE_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
/** Exceptions of the Bedrock runtime; an SDK selects the class by the header `x-amzn-errortype`. */
const BEDROCK_EXCEPTIONS: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'AccessDeniedException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  413: 'ValidationException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
  504: 'ModelTimeoutException',
};

const fallbackType = (status: number) => (status < 500 ? 'invalid_request_error' : 'api_error');

/** Returns body and headers of an error answer. */
export function describeError(family: ApiFamily, refusal: Refusal, requestId: string): ErrorAnswer {
  const { status, code, message, retryAfterSeconds } = refusal;
  const headers: Record<string, string> =
    retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
  switch (family) {
    case 'openai': {
      const type = OPENAI_TYPES[status] ?? fallbackType(status);
      return { headers, body: { error: { message, type, param: null, code } } };
    }
    case 'azure_openai':
      return { headers, body: { error: { code, message } } };
    case 'anthropic': {
      const type = ANTHROPIC_TYPES[status] ?? fallbackType(status);
      return { headers, body: { type: 'error', error: { type, message }, request_id: requestId } };
    }
    case 'google': {
      const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code };
      const name = GOOGLE_STATUS[status] ?? 'INTERNAL';
      return {
        headers,
        body: { error: { code: status, message, status: name, details: [reason] } },
      };
    }
    case 'bedrock': {
      headers['x-amzn-errortype'] = BEDROCK_EXCEPTIONS[status] ?? 'InternalServerException';
      return { headers, body: { message } };
    }
    case 'cohere':
      return { headers, body: { message, id: requestId } };
    case 'sdk_check':
    case 'studio_check':
      return { headers, body: { error: { code, message }, request_id: requestId } };
  }
}
