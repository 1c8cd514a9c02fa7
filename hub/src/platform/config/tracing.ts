// The tracing of a hub, from the standard variables of OpenTelemetry.
import {
  readTracing,
  type TracingConfig,
  TracingConfigError,
} from '@gatewarden/shared/tracing-config.ts';
import type { Env } from './env.ts';
import { ConfigError } from './values.ts';

/** Returns how requests are traced; null if nothing is traced. Throws ConfigError. */
export function tracingOf(env: Env): TracingConfig | null {
  try {
    return readTracing(env);
  } catch (error) {
    throw error instanceof TracingConfigError ? new ConfigError(error.message) : error;
  }
}
