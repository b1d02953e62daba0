import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { TelemetryConfig } from '../environment.ts'

type Settings = Pick<TelemetryConfig, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>

/** The sampler that the standard's variables name. */
export function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Settings): Sampler {
  const byParent = (root: Sampler) => new ParentBasedSampler({ root })
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return byParent(new AlwaysOnSampler())
    case 'parentbased_always_off':
      return byParent(new AlwaysOffSampler())
    case 'parentbased_traceidratio':
      return byParent(new TraceIdRatioBasedSampler(ratio))
  }
}
