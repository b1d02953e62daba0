import type { ChannelSnapshot } from '../channels/routing/routing-types.ts'
import type { RelayCaller } from './admission/admission.ts'

/** A model as OpenAI clients list it, with the fields older clients of gateways read. */
export interface ListedModel {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  readonly root: string
  readonly parent: null
}

/** A fixed date: nobody upstream says when a model was made, and a changing one would defeat caches. */
const listedSince = 1_626_777_600

export function listedModel(id: string): ListedModel {
  return { id, object: 'model', created: listedSince, owned_by: 'tollgate', root: id, parent: null }
}

/** Models a caller can reach now: what its group is offered, narrowed by the limits of its key. Sorted. */
export function reachableModels(caller: RelayCaller, snapshot: ChannelSnapshot): readonly string[] {
  const offered = snapshot.modelsOf(caller.group)
  const limits = caller.token?.modelLimits ?? null
  return limits === null ? offered : offered.filter((model) => limits.has(model))
}
