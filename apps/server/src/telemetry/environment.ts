import { z } from 'zod'

const address = z
  .string()
  .regex(/^https?:\/\/[^\s/]+\S*$/, 'must be an http:// or https:// address')
  .optional()
const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')
/** `grpc` needs HTTP/2 and a library of its own; every collector takes these. */
const protocol = z.enum(['http/protobuf', 'http/json'], 'must be http/protobuf or http/json').optional()
const exporter = z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp')
const count = (limit: number) => z.coerce.number().int().min(1).max(limit)

/** `host:port`, or a port of the loopback interface alone. */
const listenAddress = z
  .string()
  .regex(/^(?:(\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):)?\d{1,5}$/, 'must be a port, or host:port')
  .transform((text) => {
    const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? []
    return { hostname: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  })
  .refine(({ port }) => port <= 65_535, 'has no such port')

/** Variables for monitoring from outside. */
export const telemetryEnvironment = z.object({
  /** Serves `/metrics` to those who send it as a bearer token. */
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  /** Serves `/metrics` at an address of its own instead, without a token unless there is one. */
  METRICS_LISTEN: listenAddress.optional(),
  /** Writes a line for each call into the log. */
  LOG_CALLS: flag.default(false),
  /** Names the trace to upstreams, which may be other companies. */
  TRACE_UPSTREAMS: flag.default(false),
  OTEL_SDK_DISABLED: z
    .string()
    .transform((text) => text.toLowerCase() === 'true')
    .default(false),
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: protocol,
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** Spans that wait; further ones are dropped. */
  OTEL_BSP_MAX_QUEUE_SIZE: count(1_000_000).default(2048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: count(100_000).default(512),
  OTEL_BSP_SCHEDULE_DELAY: count(3_600_000).default(5000),
  OTEL_BSP_EXPORT_TIMEOUT: count(3_600_000).default(30_000),
  OTEL_METRIC_EXPORT_INTERVAL: count(86_400_000).default(60_000),
  OTEL_METRIC_EXPORT_TIMEOUT: count(3_600_000).default(30_000),
})

export type TelemetryConfig = z.output<typeof telemetryEnvironment>

/** Returns the signals that go to a collector. */
export function exportedSignals(config: TelemetryConfig): {
  readonly traces: boolean
  readonly metrics: boolean
} {
  const common = config.OTEL_EXPORTER_OTLP_ENDPOINT
  const isOn = !config.OTEL_SDK_DISABLED
  return {
    traces:
      isOn &&
      config.OTEL_TRACES_EXPORTER === 'otlp' &&
      (config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? common) !== undefined,
    metrics:
      isOn &&
      config.OTEL_METRICS_EXPORTER === 'otlp' &&
      (config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? common) !== undefined,
  }
}
