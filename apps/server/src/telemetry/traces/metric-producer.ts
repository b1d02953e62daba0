import { type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { Family, HistogramPoint, ReadFamilies } from '../metrics/family.ts'

/** The metrics of a scrape as the SDK's reader pushes them: read when it asks, counted nowhere else. */
export function metricProducer(read: ReadFamilies, resource: Resource, startedMs: number): MetricProducer {
  const startTime = millisToHrTime(startedMs)
  return {
    async collect() {
      const endTime = millisToHrTime(Date.now())
      const metrics = (await read()).map((family) => metricData(family, { startTime, endTime }))
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'tollgate' }, metrics }] },
        errors: [],
      }
    },
  }
}

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

const units: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By' }

/** Dots, and the unit apart: collectors write the name back as Prometheus has it. */
function descriptorOf({ name, help }: Family) {
  const words = name.split('_')
  if (words.at(-1) === 'total') words.pop()
  const unit = units[words.at(-1) ?? '']
  if (unit !== undefined) words.pop()
  return { name: words.join('.'), description: help, unit: unit ?? '', valueType: ValueType.DOUBLE }
}

function metricData(family: Family, times: Times): MetricData {
  const common = {
    descriptor: descriptorOf(family),
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (family.type === 'histogram') {
    const dataPoints = family.points.map((point) => ({
      ...times,
      attributes: point.labels,
      value: histogramOf(point, family.bounds),
    }))
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }
  }
  const dataPoints = family.samples.map(({ labels, value }) => ({ ...times, attributes: labels, value }))
  return family.type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
}

function histogramOf({ counts, sum }: HistogramPoint, bounds: readonly number[]) {
  return {
    buckets: { boundaries: [...bounds], counts: [...counts] },
    sum,
    count: counts.reduce((total, count) => total + count, 0),
  }
}
