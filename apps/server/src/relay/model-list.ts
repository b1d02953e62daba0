import type { ChannelSnapshot } from '../channels/routing/routing-types.ts'
import type { RelayCaller } from './admission/admission.ts'

/** Models a caller can reach now: what its group is offered, narrowed by the limits of its key. Sorted. */
export function reachableModels(caller: RelayCaller, snapshot: ChannelSnapshot): readonly string[] {
  const offered = snapshot.modelsOf(caller.group)
  const limits = caller.token?.modelLimits ?? null
  return limits === null ? offered : offered.filter((model) => limits.has(model))
}
