// Whether and how requests are traced: the standard variables of OpenTelemetry. Where the spans go, with which headers and
// certificates, the exporter reads itself from OTEL_EXPORTER_OTLP_*.

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

export interface TracingConfig {
  protocol: (typeof PROTOCOLS)[number];
  sampler: (typeof SAMPLERS)[number];
  /** 0 to 1. */
  ratio: number;
  /** Spans are sent so often. */
  delayMs: number;
}

/** A variable has an invalid value. The message is a single line. */
export class TracingConfigError extends Error {}

/** Returns how to trace; null if nothing is traced. Throws TracingConfigError. */
export function readTracing(env: Env): TracingConfig | null {
  if (!isTraced(env)) return null;
  checkEndpoints(env);
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG ?? 1);
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new TracingConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  }
  const delayMs = Number(env.OTEL_BSP_SCHEDULE_DELAY ?? 5_000);
  if (!(Number.isInteger(delayMs) && delayMs >= 100 && delayMs <= 3_600_000)) {
    throw new TracingConfigError(
      'OTEL_BSP_SCHEDULE_DELAY must be a whole number from 100 to 3600000',
    );
  }
  return {
    protocol: choice(
      env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL === undefined
        ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
        : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
      env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL,
      PROTOCOLS,
      'http/protobuf',
    ),
    sampler: choice(
      'OTEL_TRACES_SAMPLER',
      env.OTEL_TRACES_SAMPLER,
      SAMPLERS,
      'parentbased_always_on',
    ),
    ratio,
    delayMs,
  };
}

type Env = Readonly<Record<string, string | undefined>>;

function isTraced(env: Env): boolean {
  const isNamed =
    (env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined;
  const isOff =
    env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  return isNamed && !isOff;
}

function checkEndpoints(env: Env): void {
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    const url = env[name];
    if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
      throw new TracingConfigError(`${name} must be a URL that begins with http:// or https://`);
    }
  }
}

function choice<T extends string>(
  name: string,
  text: string | undefined,
  values: readonly T[],
  fallback: T,
): T {
  if (text === undefined) return fallback;
  const found = values.find((value) => value === text);
  if (found === undefined) {
    throw new TracingConfigError(`${name} must be one of ${values.join(', ')}`);
  }
  return found;
}
