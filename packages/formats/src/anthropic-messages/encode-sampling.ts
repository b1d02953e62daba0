import type { Sampling } from '../canonical/request.ts'
import type { JsonObject } from '../json-value.ts'
import type { ThinkingPlan } from './encode-thinking.ts'
import type { Encoding } from './encoding.ts'
import { unsupported } from './fields.ts'

const unknownHere = ['seed', 'presencePenalty', 'frequencyPenalty', 'logprobs'] as const
const samplingFields = ['temperature', 'topP', 'topK'] as const
type SamplingFields = Pick<Sampling, (typeof samplingFields)[number]>

/** @throws RequestFault for several answers, and for ends that would not be found */
export function encodeSampling(sampling: Sampling, plan: ThinkingPlan, encoding: Encoding): JsonObject {
  if (sampling.candidates > 1) throw unsupported('n', 'it gives one answer to a request')
  const taken = takenOf(sampling, plan, encoding)
  const { dropped } = encoding
  for (const name of unknownHere) if (sampling[name] !== undefined) dropped.add(name)
  for (const name of samplingFields) if (taken[name] !== sampling[name]) dropped.add(name)
  const { temperature, topP, topK } = taken
  const stop = encodeStopSequences(sampling.stop)
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(stop.length > 0 && { stop_sequences: stop }),
  }
}

/** A model that thinks takes a temperature of 1, a high `top_p` and no `top_k`; later ones take nothing at all. */
function takenOf(sampling: Sampling, plan: ThinkingPlan, { traits }: Encoding): SamplingFields {
  if (!traits.sampling) return {}
  const thinks = plan.type === 'enabled' || plan.type === 'adaptive'
  const temperature = temperatureOf(sampling, thinks)
  const topP = topPOf(sampling, thinks)
  const topK = thinks ? undefined : sampling.topK
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && (temperature === undefined || traits.temperatureWithTopP) && { topP }),
    ...(topK !== undefined && { topK }),
  }
}

/** Other vendors go up to 2. */
function temperatureOf({ temperature }: Sampling, thinks: boolean): number | undefined {
  if (temperature === undefined) return undefined
  const clamped = Math.min(Math.max(temperature, 0), 1)
  return thinks && clamped !== 1 ? undefined : clamped
}

function topPOf({ topP }: Sampling, thinks: boolean): number | undefined {
  return topP !== undefined && thinks && topP < 0.95 ? undefined : topP
}

function encodeStopSequences(stop: readonly string[]): readonly string[] {
  const said = stop.filter((sequence) => sequence !== '')
  if (said.some((sequence) => sequence.trim() === ''))
    throw unsupported('stop', 'it takes no stop sequence of white space alone')
  return said
}
