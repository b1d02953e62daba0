import type { ChannelTagBody } from '@tollgate/api'
import type { Actor } from '../../audit-log/audit-log.ts'
import type { KeyedMutex } from '../../lib/mutex.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ChannelChange, ChannelRepository } from '../../store/channel-repository.ts'
import { auditChange, channelAct } from './channel-audit.ts'
import { readBulkNumbers, readChannelInput, readTag } from './channel-input.ts'
import { type CommitDependencies, commitChannels } from './commit-channels.ts'

export interface EditTagDependencies extends CommitDependencies {
  readonly channels: ChannelRepository
  readonly locks: KeyedMutex<number>
}

/** No type's rules apply to what a tag edit may set. */
const anyType = 0

/**
 * Overwrites fields of all channels of a tag, in one transaction. An empty `new_tag` dissolves the tag; every other field
 * that is absent, null or empty stays as it is. Returns how many channels there are.
 */
export async function editTag(
  body: ChannelTagBody,
  actor: Actor,
  deps: EditTagDependencies,
): Promise<number> {
  const tag = readTag(body.tag)
  const change = readChange(body)
  if (Object.keys(change).length === 0) throw new Refusal('channel_no_changes')
  const ids = (await deps.channels.listSummaries())
    .filter((channel) => channel.tag === tag)
    .map(({ id }) => id)
  const edited = await deps.locks.runAll(ids, () =>
    commitChannels(deps, actor, async (channels) => {
      const known = new Set(ids)
      const meant = (await channels.listByTag(tag)).filter(({ id }) => known.has(id))
      await channels.updateMany(
        meant.map(({ id }) => id),
        change,
      )
      const acts = meant.map((old) =>
        channelAct('channel.update', old, auditChange(old, { ...old, ...change })),
      )
      const target = { kind: 'tag' as const, name: tag }
      return {
        result: meant.length,
        ids: meant.map(({ id }) => id),
        acts: [{ action: 'tag.update' as const, target, after: given(body) }, ...acts],
      }
    }),
  )
  if (edited === 0) throw new Refusal('record_not_found')
  return edited
}

function readChange(body: ChannelTagBody): ChannelChange {
  const sent = {
    model_mapping: body.model_mapping || undefined,
    models: body.models || undefined,
    group: body.groups || undefined,
    tag: body.new_tag ?? undefined,
  }
  return { ...readChannelInput(sent, anyType), ...readBulkNumbers(body) }
}

/** What was asked for, for the log of acts. */
function given({ tag: _, ...fields }: ChannelTagBody): object {
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== null && (value !== '' || name === 'new_tag')
  return Object.fromEntries(Object.entries(fields).filter(isGiven))
}
