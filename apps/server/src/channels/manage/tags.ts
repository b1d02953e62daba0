import type { Channel } from '../../store/entities.ts'

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function inTagOrder(channels: readonly Channel[], byId: boolean): Channel[] {
  return channels.toSorted(
    (a, b) => compareText(a.tag, b.tag) || (byId ? 0 : b.priority - a.priority) || b.id - a.id,
  )
}

/** A page counts tags, in their own order, and carries all channels of each; channels without a tag are in none. */
export function taggedPage(all: readonly Channel[], offset: number, size: number, byId: boolean): Channel[] {
  const tags = [...new Set(all.map((channel) => channel.tag))].filter((tag) => tag !== '').sort(compareText)
  const shown = new Set(tags.slice(offset, offset + size))
  return inTagOrder(
    all.filter((channel) => shown.has(channel.tag)),
    byId,
  )
}

/** Every channel that shares a tag with one of those found. */
export function withTagsOf(found: readonly Channel[], all: readonly Channel[], byId: boolean): Channel[] {
  const tags = new Set(found.map((channel) => channel.tag).filter((tag) => tag !== ''))
  return inTagOrder(
    all.filter((channel) => tags.has(channel.tag)),
    byId,
  )
}
