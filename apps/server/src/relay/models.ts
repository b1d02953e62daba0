import { channelTypes } from '@tollgate/api/channel-types'
import type { ChannelSnapshot } from '../channels/routing/routing-types.ts'
import type { RelayCaller } from './admission.ts'

/** Models a caller can reach now: what its group is offered, narrowed by the limits of its key. Sorted. */
export function reachableModels(caller: RelayCaller, snapshot: ChannelSnapshot): readonly string[] {
  const offered = snapshot.modelsOf(caller.group)
  const limits = caller.token?.modelLimits ?? null
  return limits === null ? offered : offered.filter((model) => limits.has(model))
}

/** Channel types whose owner has another word in model lists than its provider's id; clients know these words. */
const owners: Readonly<Record<number, string>> = {
  2: 'midjourney',
  5: 'midjourney',
  11: 'google palm',
  14: 'claude',
  15: 'baidu',
  16: 'zhipu',
  18: 'xunfei',
  19: 'ai360',
  22: 'fastgpt',
  23: 'tencent',
  24: 'google gemini',
  26: 'zhipu_4v',
  31: 'lingyiwanwu',
  34: 'cohere',
  36: 'suno',
  37: 'dify',
  41: 'vertex-ai',
  44: 'mokaai',
  46: 'baidu',
}

let known: ReadonlyMap<string, string> | undefined

/** Who makes a model, as the catalogue of channel types has it: the first type that usually serves it; else `custom`. */
export function ownerOf(model: string): string {
  known ??= ownersOfModels()
  return known.get(model) ?? 'custom'
}

function ownersOfModels(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { id, provider, models } of channelTypes)
    for (const model of models) if (!found.has(model)) found.set(model, owners[id] ?? provider)
  return found
}
