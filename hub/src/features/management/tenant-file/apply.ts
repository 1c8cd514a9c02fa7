// Executes a plan through the management API, step by step. Each step is atomic, so that an interrupted run continues
// with the same file.
import { type ManagementClient, ManagementError, must } from '@gatewarden/management-client';
import { patiently } from './patience.ts';
import type { Plan, Step, StepOf } from './plan.ts';

const R = '/llmgateway/management/v1';

/** The result of a step; `unchanged` if only secrets were sent and the hub had them already. */
export interface Outcome {
  resource: string;
  action: Step['action'];
  result: 'done' | 'unchanged';
}

/** Called with each step before it begins. */
export type StepReport = (progress: { step: number; steps: number; resource: string }) => void;

/** A step that the hub refused; earlier steps remain. */
export class ApplyError extends Error {
  readonly done: Outcome[];

  constructor(step: Step, done: Outcome[], cause: unknown) {
    super(`${step.resource}: ${wordsOf(cause)}`, { cause });
    this.done = done;
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof ManagementError)) return (error as Error).message;
  if (error.status === 412) {
    return 'it was changed by someone else meanwhile: look at the difference and apply again';
  }
  return `${error.message} (${error.code}, request ${error.requestId})`;
}

/** Throws ApplyError at the first step that fails. */
export async function applyPlan(
  client: ManagementClient,
  plan: Plan,
  onStep: StepReport = () => undefined,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const versions = new Map<string, string>();
  for (const step of plan.steps) {
    onStep({ step: outcomes.length + 1, steps: plan.steps.length, resource: step.resource });
    try {
      // A repeat meets the expected version, so that nothing is done twice.
      const result = await patiently(() => carryOut(client, step, versions));
      outcomes.push({ resource: step.resource, action: step.action, result });
    } catch (error) {
      throw new ApplyError(step, outcomes, error);
    }
  }
  return outcomes;
}

async function carryOut(
  client: ManagementClient,
  step: Step,
  versions: Map<string, string>,
): Promise<Outcome['result']> {
  switch (step.kind) {
    case 'provider':
      return writeProvider(client, step, versions);
    case 'app':
      return writeApp(client, step, versions);
    case 'prompt':
      return writePrompt(client, step, versions);
    case 'key':
      return writeKey(client, step);
  }
}

/** The file was validated with the schemas that the client's types are generated from. */
const sent = (body: object) => body as never;

async function writeProvider(
  client: ManagementClient,
  { label, version, body }: StepOf<'provider'>,
  versions: Map<string, string>,
): Promise<Outcome['result']> {
  const place = `provider/${label}`;
  const before = versions.get(place) ?? version;
  if (before === null) {
    const { data } = await must(client.POST(`${R}/providers`, { body: sent(body), params: {} }));
    versions.set(place, data.provider.version);
    return 'done';
  }
  const { data } = await must(
    client.PATCH(`${R}/providers/{label}`, {
      params: { path: { label }, header: { 'If-Match': before } },
      body: sent(body),
    }),
  );
  versions.set(place, data.provider.version);
  return data.provider.version === before ? 'unchanged' : 'done';
}

async function writeApp(
  client: ManagementClient,
  { app, version, body }: StepOf<'app'>,
  versions: Map<string, string>,
): Promise<Outcome['result']> {
  if (version === null) {
    const { data } = await must(client.POST(`${R}/apps`, { body: sent(body), params: {} }));
    versions.set(app, data.app.version);
    return 'done';
  }
  const { data } = await must(
    client.PATCH(`${R}/app`, {
      params: { query: { app_name: app }, header: { 'If-Match': version } },
      body: sent(body),
    }),
  );
  versions.set(app, data.app.version);
  return data.app.version === version ? 'unchanged' : 'done';
}

async function writePrompt(
  client: ManagementClient,
  { app, version: planned, promptId, content }: StepOf<'prompt'>,
  versions: Map<string, string>,
): Promise<Outcome['result']> {
  // Uses the version of the plan or of an earlier step: a concurrent change is not overwritten.
  const version = versions.get(app) ?? planned;
  if (version === null) throw new Error(`the app ${app} comes before its prompts`);
  const params = {
    query: { app_name: app },
    path: { prompt_id: promptId },
    header: { 'If-Match': version },
  };
  const path = `${R}/app/prompts/{prompt_id}` as const;
  const { data } =
    content === null
      ? await must(client.DELETE(path, { params }))
      : await must(client.PUT(path, { params, body: { content } }));
  versions.set(app, data.app_version);
  return 'done';
}

async function writeKey(
  client: ManagementClient,
  { app, key, body }: StepOf<'key'>,
): Promise<Outcome['result']> {
  const query = { app_name: app };
  if (key === null) {
    // The secret is not stored here: an authorized user reveals it.
    await must(client.POST(`${R}/app/keys`, { params: { query }, body }));
    return 'done';
  }
  await must(
    client.PATCH(`${R}/app/keys/{key_id}`, {
      params: { query, path: { key_id: key.key_id }, header: { 'If-Match': key.version } },
      body: { expires_at: body.expires_at },
    }),
  );
  return 'done';
}
