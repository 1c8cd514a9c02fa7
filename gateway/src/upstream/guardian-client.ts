// The client of the operator's guardian: an OpenAI-compatible server that runs the checks of models. A question has a
// deadline. A failure has a code for rows and metrics, and never contains the question.
import { Agent, request } from 'undici';

export interface GuardianOptions {
  /** The address with its path, for example `http://127.0.0.1:8000/v1`. */
  url: string;
  model: string;
  apiKey: string | null;
  timeoutMs: number;
}

export type GuardianFailureCode =
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'invalid_answer'
  | 'too_long';

/** The guardian gave no usable answer. */
export class GuardianFailure extends Error {
  readonly code: GuardianFailureCode;

  constructor(code: GuardianFailureCode, cause?: unknown) {
    super(`the guardian failed: ${code}`, { cause });
    this.code = code;
  }
}

export interface GuardianClient {
  /** Returns the text of the model's answer. Throws GuardianFailure; the signal ends a question without an answer. */
  ask(messages: readonly object[], signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** An answer is a short list of findings. */
const ANSWER_BYTES_MAX = 2 ** 20;

/** Returns a client of the operator's guardian. */
export function createGuardianClient(options: GuardianOptions): GuardianClient {
  const { url, model, apiKey, timeoutMs } = options;
  const dispatcher = new Agent({ maxResponseSize: ANSWER_BYTES_MAX });
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return {
    async ask(messages, signal) {
      const deadline = AbortSignal.timeout(timeoutMs);
      const body = JSON.stringify({
        ...{ model, messages, temperature: 0, stream: false },
        response_format: { type: 'json_object' },
      });
      try {
        const answer = await request(`${url}/chat/completions`, {
          ...{ method: 'POST', headers, body, dispatcher },
          signal: AbortSignal.any([deadline, signal]),
        });
        if (answer.statusCode === 200) return readContent(await answer.body.text());
        await answer.body.dump();
        throw new GuardianFailure('refused');
      } catch (error) {
        if (error instanceof GuardianFailure) throw error;
        throw new GuardianFailure(deadline.aborted ? 'timeout' : 'unreachable', error);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Returns the text of a chat completion. */
function readContent(text: string): string {
  try {
    const { choices } = JSON.parse(text) as { choices: { message: { content: string } }[] };
    const content = choices[0]?.message.content;
    if (typeof content === 'string') return content;
  } catch {
    // Other shapes end below.
  }
  throw new GuardianFailure('invalid_answer');
}
