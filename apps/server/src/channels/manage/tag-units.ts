import type { ChannelSummary } from '../../store/repositories/channels.ts'
import { compareText } from './channel-order.ts'

type Tagged = Pick<ChannelSummary, 'id' | 'tag'>

/**
 * The units of a page in tag mode: each tag, in the order of their names, as all of its channels, and after them each
 * channel without one.
 * @param found in their order
 * @param all the same channels and those that share a tag with one of them, in their order
 */
export function tagUnits<Channel extends Tagged>(
  found: readonly Channel[],
  all: readonly Channel[],
): readonly (readonly Channel[])[] {
  const tags = new Map<string, Channel[]>(
    [...new Set(found.map(({ tag }) => tag))]
      .filter((tag) => tag !== '')
      .sort(compareText)
      .map((tag) => [tag, []]),
  )
  for (const channel of all) tags.get(channel.tag)?.push(channel)
  const untagged = found.filter(({ tag }) => tag === '').map((channel) => [channel])
  return [...tags.values(), ...untagged]
}
