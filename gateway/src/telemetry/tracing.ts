// OpenTelemetry traces by OTLP: a span for each request, and below it a span for each attempt at a provider with the
// attributes of the GenAI semantic conventions. Loaded only if the operator configures a collector. Spans contain no texts,
// addresses of clients, users or credentials.
import { setTimeout as delay } from 'node:timers/promises';
import type { TracingConfig } from '@gatewarden/shared/tracing-config.ts';
import {
  type Context,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { AttemptFacts, RequestTrace, TraceResult, Tracing } from './request-trace.ts';

const SERVICE = 'gatewarden-gateway';
const WARNING_INTERVAL_MS = 60_000;
/** Time to send the last spans before the node stops. */
const STOP_TIMEOUT_MS = 3_000;
/** Names of operations that differ in the conventions. */
const OPERATIONS: Readonly<Record<string, string>> = {
  completions: 'text_completion',
  responses: 'chat',
  messages: 'chat',
  gemini: 'generate_content',
  invoke: 'chat',
  converse: 'chat',
};
/** Providers of the conventions by the beginning of a type; types that name two vendors have the second as their host. */
const PROVIDERS: readonly (readonly [type: RegExp, provider: string])[] = [
  [/_vendorG$|^vendorG/, 'aws.bedrock'],
  [/_vendorB$|^vendorB/, 'azure.ai.openai'],
  [/^vendorA/, 'openai'],
  [/^vendorC/, 'anthropic'],
  [/^vendorE/, 'gcp.vertex_ai'],
  [/^vendorF/, 'oracle'],
];

const propagator = new W3CTraceContextPropagator();
const headerGetter = {
  keys: (headers: Readonly<Record<string, string>>) => Object.keys(headers),
  get: (headers: Readonly<Record<string, string>>, name: string) => headers[name],
};

/** Starts the exporter. */
export async function startTracing(config: TracingConfig, log: Logger): Promise<Tracing> {
  const { OTLPTraceExporter } =
    config.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  let warnedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (performance.now() - warnedAt < WARNING_INTERVAL_MS) return;
    warnedAt = performance.now();
    log.warn({ event: 'traces_failed', err: error }, 'Traces could not be sent.');
  });
  const provider = new TracerProvider({
    sampler: createSampler(config),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': SERVICE }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: config.delayMs,
      }),
    ],
  });
  const tracer = provider.getTracer(SERVICE);
  return {
    startRequest: (request) => new SpannedRequest(tracer, request),
    async stop() {
      await Promise.race([provider.shutdown(), delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

function createSampler({ sampler, ratio }: TracingConfig): Sampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}

class SpannedRequest implements RequestTrace {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #attempt: Span | null = null;

  constructor(
    tracer: Tracer,
    { id, method, route, headers }: Parameters<Tracing['startRequest']>[0],
  ) {
    this.#tracer = tracer;
    const parent = propagator.extract(ROOT_CONTEXT, headers, headerGetter);
    const attributes = {
      ...{ 'http.request.method': method, 'http.route': route },
      'gatewarden.request_id': id,
    };
    this.#span = tracer.startSpan(
      `${method} ${route}`,
      { kind: SpanKind.SERVER, attributes },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#span);
  }

  startAttempt({ operation, providerType, model, maxTokens, url }: AttemptFacts) {
    const name = OPERATIONS[operation] ?? operation;
    const address = URL.parse(url);
    const provider = PROVIDERS.find(([type]) => type.test(providerType))?.[1] ?? providerType;
    this.#attempt = this.#tracer.startSpan(
      `${name} ${model}`,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          ...{ 'gen_ai.operation.name': name, 'gen_ai.provider.name': provider },
          ...{ 'gen_ai.request.model': model, ...describeAddress(address) },
          ...(maxTokens === null ? {} : { 'gen_ai.request.max_tokens': maxTokens }),
        },
      },
      this.#context,
    );
    const headers: Record<string, string> = {};
    const context = trace.setSpan(this.#context, this.#attempt);
    propagator.inject(context, headers, defaultTextMapSetter);
    return headers;
  }

  failAttempt(error: string): void {
    endSpan(this.#attempt, error);
    this.#attempt = null;
  }

  end({ status, error, tokens }: TraceResult): void {
    for (const [name, count] of [
      ['gen_ai.usage.input_tokens', tokens.request],
      ['gen_ai.usage.output_tokens', tokens.response],
      ['gen_ai.usage.cache_read.input_tokens', tokens.cacheRead],
    ] as const) {
      if (count !== null) this.#attempt?.setAttribute(name, count);
    }
    endSpan(this.#attempt, error);
    if (status !== null) this.#span.setAttribute('http.response.status_code', status);
    endSpan(this.#span, status === null || status >= 500 ? error : null);
  }
}

function describeAddress(address: URL | null): Record<string, string | number> {
  if (address === null) return {};
  const { hostname, port, protocol } = address;
  const fallback = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? fallback : Number(port) };
}

function endSpan(span: Span | null, error: string | null): void {
  if (error !== null) {
    span?.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  }
  span?.end();
}
