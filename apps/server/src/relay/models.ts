import { channelTypes } from '@tollgate/api/channel-types'
import type { ChannelSnapshot } from '../channels/routing/routing-types.ts'
import type { RelayCaller } from './admission.ts'

/** Models a caller can reach now: what its group is offered, narrowed by the limits of its key. Sorted. */
export function reachableModels(caller: RelayCaller, snapshot: ChannelSnapshot): readonly string[] {
  const offered = snapshot.modelsOf(caller.group)
  const limits = caller.token?.modelLimits ?? null
  return limits === null ? offered : offered.filter((model) => limits.has(model))
}

let known: ReadonlyMap<string, string> | undefined

/** Who makes a model, as the catalogue of channel types has it: the first type that usually serves it; else `custom`. */
export function ownerOf(model: string): string {
  known ??= ownersOfModels()
  return known.get(model) ?? 'custom'
}

function ownersOfModels(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { owner, models } of channelTypes)
    for (const model of models) if (!found.has(model)) found.set(model, owner)
  return found
}
