import { findChannelType, keysIn } from '@tollgate/api/channel-types'
import { type ChannelInput, readChannelInput } from '../../../channels/manage/channel-input.ts'
import { parseKeys } from '../../../channels/manage/channel-keys.ts'
import { createChannels } from '../../../channels/manage/create-channels.ts'
import { blankChannel } from '../../../channels/manage/new-channel.ts'
import { joinKeys } from '../../../channels/routing/compile-channel.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { ChannelKeyState, NewChannel } from '../../../store/channels/channels.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import type { Store } from '../../../store/store.ts'
import type { ImportContext } from '../import-context.ts'
import type { Note, SourceChannel } from '../import-source.ts'
import { TableReport } from '../report.ts'
import { type Taken, takeTable } from '../take-table.ts'

/** Takes the channels, and remembers what was spent through each. */
export async function takeChannels(context: ImportContext, spent: Map<string, number>): Promise<TableReport> {
  const report = new TableReport('channels')
  await takeTable(context, report, {
    kind: 'channel',
    rows: context.source.channels(),
    markOf: () => '',
    take: (tx, channel) => takeChannel(context, tx, channel),
    seen: (id, { usedQuota }) => spent.set(id, usedQuota),
  })
  return report
}

async function takeChannel(context: ImportContext, tx: Store, channel: SourceChannel): Promise<Taken> {
  const type = findChannelType(channel.type)
  if (type === undefined)
    return { leftOut: { reason: 'its type is not known here', example: `${channel.name}: ${channel.type}` } }
  const changes: Note[] = []
  const input = readFields(channel, changes)
  const keys = readKeys(channel, changes)
  const keyStates = statesHere(channel, keys)
  if (keyStates === undefined)
    changes.push(disabled(channel, 'a key that is off there is not found among its keys'))
  const isMissing = (input.baseUrl ?? '') === '' && type.defaultBaseUrl === ''
  if (isMissing) changes.push(disabled(channel, 'it has no address'))
  const isUsable = changes.every(({ reason }) => !reason.startsWith(disabling))
  const fields = {
    ...blankChannel,
    ...input,
    type: channel.type,
    name: input.name ?? channel.name,
    // Whoever may run this program may set any address.
    baseUrlTrusted: channel.isAddressTrusted ?? true,
    status: isUsable ? channel.status : 'disabled',
    keysSealed: context.vault.seal(joinKeys(keys), sealContexts.newChannelKeys),
    keyCount: Math.max(keys.length, 1),
    createdAt: channel.createdAt,
  } satisfies NewChannel
  const [created] = await createChannels(tx.channels, [fields], context.vault)
  if (created === undefined) throw new Error('a channel was created and is not there')
  const states = keyStates ?? []
  if (states.length > 0 || channel.statusReason !== undefined)
    await tx.channels.update(created.id, {
      keyStates: states,
      ...(channel.statusReason !== undefined && { statusReason: channel.statusReason }),
    })
  return { targetId: created.id, changes }
}

/** Each field for itself, so that one which is not valid here does not cost the others. */
function readFields({ type, name, fields }: SourceChannel, changes: Note[]): ChannelInput {
  let input: ChannelInput = {}
  for (const [field, value] of Object.entries({ name, ...fields }))
    try {
      input = { ...input, ...readChannelInput({ [field]: value }, type) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const example = `${name}: ${error.message}`
      changes.push(
        vital.has(field)
          ? disabled({ name }, `its ${field} cannot be used: ${error.message}`)
          : { reason: `${field} is not valid here and is left out`, example },
      )
    }
  return input
}

/**
 * Returns states by the text of each key, since blank lines are no keys here; `undefined` when one is not found: then none may be
 * called.
 */
function statesHere(
  { keyStates = [] }: SourceChannel,
  keys: readonly string[],
): readonly ChannelKeyState[] | undefined {
  const states = new Map<number, ChannelKeyState>()
  for (const { text, index, ...state } of keyStates) {
    const isPositioned = keys[index] !== undefined && compact(keys[index]) === compact(text)
    const here = isPositioned ? index : keys.findIndex((key) => compact(key) === compact(text))
    if (here === -1) return undefined
    states.set(here, { index: here, ...state })
  }
  return [...states.values()]
}

/** Service accounts are laid out otherwise in a list. */
function compact(key: string): string {
  return key.replaceAll(/\s/g, '')
}

/** Fields without which the channel cannot serve. */
const vital: ReadonlySet<string> = new Set(['models', 'base_url', 'other'])

/** Also keys that cannot be used are taken: the operator mends what they know. */
function readKeys(channel: SourceChannel, changes: Note[]): readonly string[] {
  try {
    return parseKeys(channel.keys, channel.type)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    changes.push(disabled(channel, error.message))
    return keysIn(channel.keys, channel.type)
  }
}

const disabling = 'disabled here'

function disabled({ name }: Pick<SourceChannel, 'name'>, why: string): Note {
  return { reason: `${disabling} until it is mended`, example: `${name}: ${why}` }
}

/**
 * Brings the counters of channels to what was spent through them there. Users' calls are charged to them by now; the rest is an
 * entry.
 */
export async function takeChannelUsage(
  context: ImportContext,
  report: TableReport,
  spent: ReadonlyMap<string, number>,
): Promise<void> {
  const { store, name, now, ids } = context
  let there = 0
  let here = 0
  for (const [sourceId, usedQuota] of spent)
    await store.transaction(async (tx) => {
      const id = await ids.of(tx, 'channel', sourceId)
      if (id === undefined || (await tx.imports.known(name, 'channel-usage', [sourceId])).size > 0) return
      const charged = (await tx.channels.find(id))?.usedQuota ?? 0
      const amount = charged - usedQuota
      const entry = {
        accountKind: 'channel',
        accountId: id,
        cause: 'import',
        actorId: 0,
        note: name,
      } as const
      if (amount !== 0) await tx.ledger.credit({ ...entry, amount, createdAt: now })
      const row = { source: name, kind: 'channel-usage', sourceId, mark: '' } as const
      await tx.imports.add([{ ...row, targetId: id, importedAt: now }])
      there += usedQuota
      here += (await tx.channels.find(id))?.usedQuota ?? 0
    })
  if (there !== 0 || here !== 0) report.reconcile('spent through them', there, here)
}
