import { DiagLogLevel, diag } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { CallObserver } from '../../gateway/relay/observe.ts'
import type { Logger } from '../../lib/logger.ts'
import { exportedSignals, type TelemetryConfig } from '../environment.ts'
import type { ReadFamilies } from '../metrics/family.ts'
import { resourceOf } from '../resource.ts'
import { createCallTracer } from './call-tracer.ts'
import { metricProducer } from './metric-producer.ts'
import { PlannedIdGenerator } from './planned-ids.ts'
import { samplerOf } from './sampler.ts'

export interface OpenTelemetry {
  /** Writes traces; `undefined` without them. */
  readonly observer: CallObserver | undefined
  /** Sends what waits, and takes no longer than some seconds for it. */
  close(): Promise<void>
}

interface Dependencies {
  readonly config: TelemetryConfig
  readonly version: string
  readonly node: string
  readonly channel: (id: number) => RoutedChannel | undefined
  readonly families: ReadFamilies
  readonly logger: Pick<Logger, 'warn'>
}

/** A collector that does not respond must not hold a shutdown up. */
const closingMs = 2000

/**
 * Starts the SDK for the signals that are configured. Exporters read their addresses and headers from the environment. Spans
 * wait in a bounded queue, and those beyond it are dropped, so that a collector that is away costs calls nothing.
 */
export function startOpenTelemetry(deps: Dependencies): OpenTelemetry {
  const { config } = deps
  reportFaults(deps.logger)
  const resource = resourceOf(deps)
  const signals = exportedSignals(config)
  const tracing = signals.traces ? startTracing(resource, deps) : undefined
  const metering = signals.metrics ? startMetering(resource, deps) : undefined
  return {
    observer: tracing?.observer,
    async close() {
      const closing = Promise.allSettled([tracing?.provider.shutdown(), metering?.shutdown()])
      await Promise.race([closing, Bun.sleep(closingMs)])
    },
  }
}

function startTracing(resource: Resource, { config, version, channel }: Dependencies) {
  const ids = new PlannedIdGenerator(new RandomIdGenerator())
  const sampler = samplerOf(config)
  const isJson =
    (config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL) === 'http/json'
  const processor = new BatchSpanProcessor({
    exporter: isJson ? new JsonTraceExporter() : new OTLPTraceExporter(),
    maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
    maxExportBatchSize: config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMillis: config.OTEL_BSP_EXPORT_TIMEOUT,
  })
  const provider = new TracerProvider({ resource, sampler, idGenerator: ids, spanProcessors: [processor] })
  const observer = createCallTracer({
    tracer: provider.getTracer('tollgate', version),
    sampler,
    ids,
    propagator: new W3CTraceContextPropagator(),
    channel,
    nowMs: Date.now,
    toUpstreams: config.TRACE_UPSTREAMS,
  })
  return { provider, observer }
}

function startMetering(resource: Resource, { config, families }: Dependencies): MeterProvider {
  const isJson =
    (config.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL) === 'http/json'
  const startedMs = Date.now() - process.uptime() * 1000
  const reader = new PeriodicExportingMetricReader({
    exporter: isJson ? new JsonMetricExporter() : new OTLPMetricExporter(),
    exportIntervalMillis: config.OTEL_METRIC_EXPORT_INTERVAL,
    exportTimeoutMillis: Math.min(config.OTEL_METRIC_EXPORT_TIMEOUT, config.OTEL_METRIC_EXPORT_INTERVAL),
    metricProducers: [metricProducer(families, resource, startedMs)],
  })
  return new MeterProvider({ resource, readers: [reader] })
}

const reportPauseMs = 60_000

/** A collector that is away is reported once a minute, not with every batch. */
function reportFaults(logger: Pick<Logger, 'warn'>): void {
  let nextAt = 0
  const report = (message: string) => {
    const now = performance.now()
    if (now < nextAt) return
    nextAt = now + reportPauseMs
    logger.warn(
      { reason: message.slice(0, 500) },
      'telemetry cannot be exported and is dropped: check OTEL_EXPORTER_OTLP_ENDPOINT and the collector',
    )
  }
  const silent = () => undefined
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}
