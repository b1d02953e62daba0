import { ExportResultCode } from '@opentelemetry/core'
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { Destination } from './destination.ts'
import type { UsageRecord } from './usage-record.ts'

interface Options {
  readonly isJson: boolean
  readonly resource: Resource
  readonly version: string
}

/** Log records of the collector that traces and metrics go to; its address and headers are in the environment. */
export function otlpDestination({ isJson, resource, version }: Options): Destination {
  const exporter = isJson ? new JsonLogExporter() : new OTLPLogExporter()
  const scope = { name: 'tollgate', version }
  return {
    name: 'otlp',
    everyMs: 5000,
    maxRecords: 500,
    send: ({ records }) =>
      new Promise((sent, failed) => {
        exporter.export(
          records.map((record) => logRecordOf(record, resource, scope)),
          ({ code, error }) =>
            code === ExportResultCode.SUCCESS ? sent() : failed(error ?? new Error('the collector refused')),
        )
      }),
  }
}

const severity = { charge: { number: 9, text: 'INFO' }, failure: { number: 17, text: 'ERROR' } } as const

function logRecordOf(
  record: UsageRecord,
  resource: Resource,
  instrumentationScope: ReadableLogRecord['instrumentationScope'],
): ReadableLogRecord {
  const { time, kind, details, ...fields } = record
  const hrTime: [number, number] = [Date.parse(time) / 1000, 0]
  const attributes = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`tollgate.usage.${name}`, value]),
  )
  return {
    hrTime,
    hrTimeObserved: hrTime,
    severityNumber: severity[kind].number,
    severityText: severity[kind].text,
    eventName: `tollgate.usage.${kind}`,
    body: JSON.stringify({ ...record, details }),
    attributes,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
  }
}
