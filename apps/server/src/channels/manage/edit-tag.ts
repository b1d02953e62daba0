import type { ChannelTagBody } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import type { ChannelChange, ChannelRepository } from '../../store/channels/channels.ts'
import { auditChange, channelAuditEvent, summaryState } from './channel-audit.ts'
import { readBulkNumbers, readChannelInput, readTag } from './channel-input.ts'
import { type CommitDependencies, commitChannels } from './commit-channels.ts'

/** A tag edit sets no field that a type has rules for. */
const anyType = 0

/**
 * Overwrites fields of all channels of a tag, in one transaction. An empty `new_tag` dissolves the tag; every other field
 * that is absent, null or empty stays as it is. Returns how many channels there are; refused when there is none.
 */
export async function editTag(body: ChannelTagBody, actor: Actor, deps: CommitDependencies): Promise<number> {
  const tag = readTag(body.tag)
  const change = readChange(body)
  if (Object.keys(change).length === 0) throw new Refusal('channel_no_changes')
  return await commitChannels(deps, actor, async (channels) => {
    const locked = new Set(await channels.lock({ tag }))
    const auditEvents = (await actsOf(tag, change, channels)).filter(({ target }) => locked.has(target.id))
    if (auditEvents.length === 0) throw new Refusal('record_not_found')
    const selected = auditEvents.map(({ target }) => target.id)
    await channels.updateMany(selected, change)
    const act = {
      action: 'tag.update',
      target: { kind: 'tag', name: tag },
      after: requestedChanges(body),
    } as const
    return { result: selected.length, ids: selected, auditEvents: [act, ...auditEvents], change }
  })
}

/** Applies the edit to each channel. Reads their long texts only where it changes one. */
async function actsOf(tag: string, change: ChannelChange, channels: ChannelRepository) {
  const { models, modelMapping, paramOverride } = change
  if (models === undefined && modelMapping === undefined && paramOverride === undefined) {
    const known = await channels.listSummaries({ tag })
    return known.map((old) =>
      channelAuditEvent('channel.update', old, {
        before: summaryState(old),
        after: summaryState({ ...old, ...change }),
      }),
    )
  }
  const known = await channels.listByTag(tag)
  return known.map((old) => channelAuditEvent('channel.update', old, auditChange(old, { ...old, ...change })))
}

function readChange(body: ChannelTagBody): ChannelChange {
  const sent = {
    model_mapping: body.model_mapping || undefined,
    param_override: body.param_override || undefined,
    models: body.models || undefined,
    group: body.groups || undefined,
    tag: body.new_tag ?? undefined,
  }
  return { ...readChannelInput(sent, anyType), ...readBulkNumbers(body) }
}

/** The requested changes, for the audit log. */
function requestedChanges({ tag: _, ...fields }: ChannelTagBody): object {
  const isRequested = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== null && (value !== '' || name === 'new_tag')
  return Object.fromEntries(Object.entries(fields).filter(isRequested))
}
