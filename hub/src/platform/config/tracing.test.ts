// Tracing is off unless a collector is named; an invalid variable is named in a single line.
import { expect, test } from 'vitest';
import type { Env } from './env.ts';
import { tracingOf } from './tracing.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com:4318' };

test.each<Env>([
  {},
  { OTEL_TRACES_SAMPLER: 'always_on' },
  { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' },
  { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
])('traces nothing with %j', (env) => {
  expect(tracingOf(env)).toBeNull();
});

test('uses the defaults of the standard', () => {
  expect(tracingOf(ENDPOINT)).toEqual({
    protocol: 'http/protobuf',
    sampler: 'parentbased_always_on',
    ratio: 1,
    delayMs: 5000,
  });
});

test.each<[Env, RegExp]>([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must/],
  [
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    /^OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/,
  ],
  [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'sometimes' }, /^OTEL_TRACES_SAMPLER must be one of/],
  [{ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '2' }, /^OTEL_TRACES_SAMPLER_ARG must/],
  [{ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: 'half' }, /^OTEL_TRACES_SAMPLER_ARG must/],
  [{ ...ENDPOINT, OTEL_BSP_SCHEDULE_DELAY: '0' }, /^OTEL_BSP_SCHEDULE_DELAY must/],
])('rejects %j', (env, words) => {
  expect(() => tracingOf(env)).toThrow(words);
});
