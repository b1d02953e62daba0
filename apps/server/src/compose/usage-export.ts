import type { Job } from '../operations/jobs/scheduler.ts'
import type { Destination } from '../telemetry/usage-export/destination.ts'
import { type ExportState, UsageExport } from '../telemetry/usage-export/export-usage.ts'
import { s3Destination } from '../telemetry/usage-export/s3-destination.ts'
import { type Redaction, usageRecord } from '../telemetry/usage-export/usage-record.ts'
import { webhookDestination } from '../telemetry/usage-export/webhook-destination.ts'
import type { AllServices } from './services.ts'

export interface UsageExportParts {
  /** One for each destination. */
  readonly jobs: readonly Job[]
  /** Returns the progress of each destination, for metrics. */
  readonly states: () => readonly ExportState[]
}

/** Sends records of calls to the destinations that the environment names. */
export async function composeUsageExport(base: AllServices): Promise<UsageExportParts> {
  const { config, store, settings, vault, logger } = base
  const redaction: Redaction = {
    leaveOut: config.USAGE_EXPORT_LEAVE_OUT,
    hash: config.USAGE_EXPORT_HASH,
    content: config.USAGE_EXPORT_CONTENT,
    hashOf: (text) => vault.hash(text),
  }
  const exports = (await destinationsOf(base)).map(
    (destination) =>
      [
        destination,
        new UsageExport(destination, {
          exports: store.usageExports,
          recordOf: (row) => usageRecord(row, settings.current.QuotaPerUnit, redaction),
          from: config.USAGE_EXPORT_FROM,
          logger,
        }),
      ] as const,
  )
  return {
    jobs: exports.map(([{ name, everyMs }, usage]) => ({
      name: `export-usage-${name}`,
      scope: 'fleet',
      everyMs,
      run: (signal) => usage.run(signal),
    })),
    states: () => exports.map(([, { state }]) => state),
  }
}

async function destinationsOf(base: AllServices): Promise<readonly Destination[]> {
  const { config, clock } = base
  const {
    USAGE_EXPORT_WEBHOOK_URL: url,
    USAGE_EXPORT_WEBHOOK_SECRET: secret,
    USAGE_EXPORT_S3_BUCKET: bucket,
  } = config
  return [
    ...(url === undefined ? [] : [webhookDestination({ url, secret, clock })]),
    ...(bucket === undefined ? [] : [s3Of(bucket, config)]),
    ...(config.OTEL_LOGS_EXPORTER === 'otlp' && !config.OTEL_SDK_DISABLED ? [await otlpOf(base)] : []),
  ]
}

function s3Of(bucket: string, config: AllServices['config']): Destination {
  return s3Destination({
    bucket,
    endpoint: config.USAGE_EXPORT_S3_ENDPOINT,
    region: config.USAGE_EXPORT_S3_REGION,
    // The environment was refused without them.
    accessKeyId: config.USAGE_EXPORT_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: config.USAGE_EXPORT_S3_SECRET_ACCESS_KEY ?? '',
    prefix: config.USAGE_EXPORT_S3_PREFIX,
    seconds: config.USAGE_EXPORT_S3_SECONDS,
  })
}

async function otlpOf({ config, version, node }: AllServices): Promise<Destination> {
  const [{ otlpDestination }, { resourceOf }] = await Promise.all([
    import('../telemetry/usage-export/otlp-destination.ts'),
    import('../telemetry/resource.ts'),
  ])
  const protocol = config.OTEL_EXPORTER_OTLP_LOGS_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL
  return otlpDestination({
    isJson: protocol === 'http/json',
    resource: resourceOf({ version, node }),
    version,
  })
}
