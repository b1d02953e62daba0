import { channelTypes } from '@tollgate/api/channel-types'

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
