import {
  type ChannelType,
  channelTypes,
  findChannelType,
  standardChannelType,
} from '@tollgate/api/channel-types'

/** Name of a type; its number when this version does not know it. */
export function typeName(id: number): string {
  return findChannelType(id)?.name ?? `#${id}`
}

function byName(a: ChannelType, b: ChannelType): number {
  return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1
}

/** Types a new channel may have, by name, but the standard one first. What is of the past is left out. */
export function offeredTypes(current: number): readonly ChannelType[] {
  return channelTypes
    .filter((type) => !type.legacy || type.id === current)
    .toSorted(
      (a, b) => Number(b.id === standardChannelType) - Number(a.id === standardChannelType) || byName(a, b),
    )
}
