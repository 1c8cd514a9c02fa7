// OpenTelemetry traces by OTLP: a span for each request with a child span for each operation and each statement. Loaded only if the operator
// configures a collector by the standard variables. A request span has method, route, status and request id; a statement span
// has the text with placeholders. Spans contain no values, paths, addresses or credentials.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { TracingConfig } from '@gatewarden/shared/tracing-config.ts';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
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
import type { App } from '../http/server/app.ts';
import { createThrottle } from './throttle.ts';
import {
  installTraceHooks,
  type Operation,
  type OperationSpan,
  type Propagation,
} from './trace-hooks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of a traced request in progress. */
    span?: Span | null;
  }
}

export interface Tracing {
  /** Traces an application; must be called before routes are added. */
  follow(app: App): void;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/** The current span, for all hubs of a process, because trace hooks are global. */
const current = new AsyncLocalStorage<{ span: Span; context: Context; tracer: Tracer }>();
const propagator = new W3CTraceContextPropagator();
/** Ignores a duplicate header. */
const single: TextMapGetter<Record<string, unknown>> = {
  keys: (headers) => defaultTextMapGetter.keys(headers),
  get: (headers, name) => (typeof headers[name] === 'string' ? headers[name] : undefined),
};

const LITERAL = /'(?:[^']|'')*'/g;
/** Time to send the last spans before the hub stops. */
const STOP_TIMEOUT_MS = 3_000;
/** Maximum length of a statement's text. */
const TEXT_MAX = 2_000;

/** Starts the exporter and installs the trace hooks of this process. */
export async function startTracing(
  config: TracingConfig,
  version: string,
  log: Logger,
): Promise<Tracing> {
  const { OTLPTraceExporter } =
    config.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  const mayWarn = createThrottle(60_000);
  setGlobalErrorHandler((error) => {
    if (mayWarn()) log.warn({ err: error }, 'traces could not be sent');
  });
  const provider = new TracerProvider({
    sampler: samplerOf(config),
    resource: defaultResource()
      .merge(
        resourceFromAttributes({ 'service.name': 'gatewarden-hub', 'service.version': version }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: config.delayMs,
      }),
    ],
  });
  const tracer = provider.getTracer('gatewarden-hub', version);
  installTraceHooks({ operation: operationSpan, statement: statementSpan, ids: currentIds });
  return {
    follow: (app) => followRequests(app, tracer),
    async stop() {
      const isSent = await Promise.race([
        provider.shutdown().then(() => true),
        delay(STOP_TIMEOUT_MS, false, { ref: false }),
      ]);
      if (!isSent) log.warn('the last traces could not be sent');
    },
  };
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}

function followRequests(app: App, tracer: Tracer): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, single);
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'gatewarden.request_id': request.id,
        },
      },
      parent,
    );
    request.span = span;
    current.run({ span, context: trace.setSpan(parent, span), tracer }, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { span } = request;
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    request.span = null;
    done();
  });
  // A client that disconnected early receives no response.
  app.addHook('onRequestAbort', (request, done) => {
    request.span?.setAttribute('gatewarden.aborted', true).end();
    request.span = null;
    done();
  });
}

function currentIds() {
  const span = current.getStore()?.span.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** Starts the span of an operation within a request. A span with a remote parent is linked to its request. */
function operationSpan({ name, kind, attributes, remote }: Operation): OperationSpan | undefined {
  const ambient = current.getStore();
  if (ambient === undefined) return undefined;
  const { tracer } = ambient;
  const extracted = propagator.extract(ROOT_CONTEXT, remote ?? {}, single);
  const isRemote = trace.getSpanContext(extracted) !== undefined;
  const parent = isRemote ? extracted : ambient.context;
  const span = tracer.startSpan(
    name,
    {
      kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
      attributes,
      links: isRemote ? [{ context: ambient.span.spanContext() }] : [],
    },
    parent,
  );
  const context = trace.setSpan(parent, span);
  const propagation = { traceparent: '' } satisfies Propagation;
  propagator.inject(context, propagation, defaultTextMapSetter);
  return {
    propagation,
    run: (work) => current.run({ span, context, tracer }, work),
    end({ attributes: added = {}, error }) {
      span.setAttributes(added);
      if (error !== undefined) {
        span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** Starts a span only within a request. Background statements would outnumber all others. */
function statementSpan(text: string) {
  const parent = current.getStore();
  if (parent?.span.isRecording() !== true) return undefined;
  const shown = text.replace(LITERAL, '?').replace(/\s+/g, ' ').trim();
  const name = /^(?:\/\* prepared \*\/ )?([A-Za-z]{1,20})/.exec(shown)?.[1]?.toUpperCase();
  const span = parent.tracer.startSpan(
    name ?? 'statement',
    {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': shown.slice(0, TEXT_MAX) },
    },
    parent.context,
  );
  return (error?: unknown) => {
    // The database's message may contain values of a row, but its code does not.
    const code = (error as { code?: unknown } | undefined)?.code;
    if (error !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      if (typeof code === 'string') span.setAttribute('db.response.status_code', code);
    }
    span.end();
  };
}
