import { channelTypes } from '@tollgate/api/channel-types'
import type { ChannelSnapshot } from '../routing/routing-types.ts'

export interface KnownModel {
  readonly id: string
  readonly owned_by: string
}

/** Every model of the channel types, once each, for pickers. */
export function knownModels(): readonly KnownModel[] {
  const owners = new Map<string, string>()
  for (const type of channelTypes) {
    for (const model of type.models) if (!owners.has(model)) owners.set(model, type.name)
  }
  return [...owners].map(([id, owned_by]) => ({ id, owned_by }))
}

/** Channel type id, as text, to the models such a channel usually serves. */
export function modelsByChannelType(): Record<string, string[]> {
  return Object.fromEntries(channelTypes.map((type) => [String(type.id), [...type.models]]))
}

/** Models that any of the groups reaches through an enabled channel; sorted, each once. */
export function modelsOfGroups(snapshot: ChannelSnapshot, groups: Iterable<string>): string[] {
  const models = new Set<string>()
  for (const group of groups) for (const model of snapshot.modelsOf(group)) models.add(model)
  return [...models].sort()
}

/** Models that some enabled channel serves to some group; sorted, each once. */
export function enabledModels(snapshot: ChannelSnapshot): string[] {
  const groups = new Set(snapshot.channels.flatMap((channel) => channel.groups))
  return modelsOfGroups(snapshot, groups)
}
