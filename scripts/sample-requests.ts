// The requests of `npm start -- --demo` through its gateway node: rows of the last hour that really passed the node, with a
// stream, a redacted card, a blocked credential and an unknown model.
import { setTimeout as sleep } from 'node:timers/promises';
import { SAMPLE_MODEL } from './sample-model.ts';

interface SampleRequest {
  user: string;
  content: string;
  model?: string;
  stream?: boolean;
}

/** The name of the header in which the sample app expects its user. */
export const USER_HEADER = 'x-user-email';

const REQUESTS: readonly SampleRequest[] = [
  { user: 'ada', content: 'Summarize the minutes of our meeting.' },
  { user: 'ada', content: 'Translate the summary into German.', stream: true },
  { user: 'grace', content: 'Charge the card 4111 1111 1111 1111, please.' },
  { user: 'grace', content: `Why does AKIA${'IOSFODNN7EXAMPL3'} not work?` },
  { user: 'linus', content: 'Write a limerick about gateways.', model: 'unknown-model' },
  { user: 'linus', content: 'Write a limerick about gateways.', stream: true },
];

const ATTEMPTS = 100;
const ATTEMPT_INTERVAL_MS = 100;

/** Sends the requests as soon as the node knows the app. Throws if it never does. */
export async function sendSampleRequests(gatewayUrl: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await awaitApp(gatewayUrl, headers);
  for (const { user, content, model = SAMPLE_MODEL, stream = false } of REQUESTS) {
    const response = await fetch(`${gatewayUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        ...headers,
        [USER_HEADER]: `${user}@demo.example`,
        'x-conversation-id': `sample-${user}`,
      },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content }] }),
    });
    await response.arrayBuffer();
  }
}

async function awaitApp(gatewayUrl: string, headers: Record<string, string>): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { ok } = await fetch(`${gatewayUrl}/v1/models`, { headers });
    if (ok) return;
    await sleep(ATTEMPT_INTERVAL_MS);
  }
  throw new Error('the gateway node did not receive the sample app');
}
