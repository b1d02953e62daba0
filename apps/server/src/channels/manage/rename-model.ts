import type { Consent, ModelRenaming } from '@tollgate/api'
import { mayWrite, type SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import { requirePart } from '../../records/audit-log/require-part.ts'
import { optionAuditEvent } from '../../settings/change-options.ts'
import { modelOptions } from '../../settings/model-maps.ts'
import type { CheckedChange, OptionChange, Settings } from '../../settings/settings.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Channel, ChannelChange } from '../../store/channels/channels.ts'
import type { Store } from '../../store/store.ts'
import { auditChange, channelAuditEvent } from './channel-audit.ts'

interface Dependencies {
  readonly store: Pick<Store, 'channels' | 'tokens' | 'transaction'>
  readonly settings: Settings
  readonly auditLog: AuditLog
  readonly bus: ChangeBus
}

export interface ModelNames {
  readonly from: string
  readonly to: string
}

/** Renames a model wherever its name stands: channels, prices, lists of keys. */
export interface RenameModel {
  preview(names: ModelNames): Promise<ModelRenaming>
  /** All of it in one transaction. */
  rename(actor: Actor, names: ModelNames, consent: Consent): Promise<ModelRenaming>
}

export function createRenameModel(deps: Dependencies): RenameModel {
  const { store, settings, auditLog, bus } = deps

  async function occurrences(
    over: Pick<Store, 'channels' | 'tokens'>,
    now: SettingValues,
    names: ModelNames,
  ): Promise<Occurrences> {
    const channels = (await over.channels.listAll()).filter((channel) => hasName(channel, names.from))
    const options = modelOptions.filter((key) => Object.hasOwn(now[key], names.from))
    const tokens = await over.tokens.listLimitedTo(names.from)
    if (channels.length + options.length + tokens.length === 0)
      throw new Refusal('model_name_unknown', { model: names.from })
    return { channels, options, tokens }
  }

  /** Writes what the transaction found and locked before. */
  async function write(
    tx: Pick<Store, 'channels' | 'tokens' | 'auditLog'>,
    { actor, names, found, options }: Writing,
  ): Promise<void> {
    if (found.channels.length > 0) requirePart(actor, 'channels')
    const ofChannels = await renameChannels(tx, found.channels, names)
    await tx.tokens.renameModel(found.tokens, names.from, names.to)
    const { channels, tokens } = renamingOf(found)
    const after = { name: names.to, channels: channels.map(({ id }) => id), tokens }
    const renamed = { action: 'model.rename', target: { kind: 'model', name: names.from }, after } as const
    const ofOptions = options.flatMap((change) => optionAuditEvent('option.update', change))
    await auditLog.recordAll(actor, [renamed, ...ofOptions, ...ofChannels], tx)
  }

  return {
    async preview(names) {
      refuseTaken(settings.current, names)
      return renamingOf(await occurrences(store, settings.current, names))
    },
    async rename(actor, names, consent) {
      let found: Occurrences = { channels: [], options: [], tokens: [] }
      const lock = async (tx: Store) => {
        await tx.channels.lock({})
        found = await occurrences(tx, settings.current, names)
      }
      const check = (now: SettingValues) => {
        refuseUnwritable(actor, now)
        refuseTaken(now, names)
      }
      check(settings.current)
      if (isInOptions(settings.current, names.from))
        await settings.change(
          (now) => {
            check(now)
            return modelOptions.flatMap((key) => renamedEntry(key, now, names))
          },
          (tx, { options }) => write(tx, { actor, names, found, options }),
          consent,
          lock,
        )
      else
        await store.transaction(async (tx) => {
          await lock(tx)
          await write(tx, { actor, names, found, options: [] })
        })
      await bus.publishAndSettle('everything-changed', { inBalances: false })
      return renamingOf(found)
    },
  }
}

/** Occurrences of a name: channels, options, and ids of keys. */
interface Occurrences {
  readonly channels: readonly Channel[]
  readonly options: readonly string[]
  readonly tokens: readonly number[]
}

interface Writing {
  readonly actor: Actor
  readonly names: ModelNames
  readonly found: Occurrences
  readonly options: readonly CheckedChange[]
}

function isInOptions(now: SettingValues, name: string): boolean {
  return modelOptions.some((key) => Object.hasOwn(now[key], name))
}

function refuseUnwritable(actor: Actor, now: SettingValues): void {
  if (!mayWrite(actor, 'ModelRatio', now)) throw new Refusal('option_moves_money', { key: 'ModelRatio' })
}

function hasName({ models, modelMapping, testModel }: Channel, name: string): boolean {
  return models.includes(name) || testModel === name || Object.hasOwn(mappingIn(modelMapping), name)
}

/** Two models under one name could not be told apart again. */
function refuseTaken(now: SettingValues, { from, to }: ModelNames): void {
  if (from === to || isInOptions(now, to)) throw new Refusal('model_name_taken', { model: to })
}

function renamedEntry(
  key: (typeof modelOptions)[number],
  now: SettingValues,
  { from, to }: ModelNames,
): OptionChange[] {
  const entries = Object.entries<unknown>(now[key])
  if (!Object.hasOwn(now[key], from)) return []
  const renamed = entries.map(([name, value]) => [name === from ? to : name, value])
  return [{ key, text: JSON.stringify(Object.fromEntries(renamed)) }]
}

async function renameChannels(tx: Pick<Store, 'channels'>, channels: readonly Channel[], names: ModelNames) {
  const events = []
  for (const channel of channels) {
    const changed = await tx.channels.update(channel.id, renamedChannel(channel, names))
    if (changed !== undefined)
      events.push(channelAuditEvent('channel.update', changed, auditChange(channel, changed)))
  }
  return events
}

/**
 * Returns a renamed channel: the upstream knows the model by the former name, so the channel maps to that, or to what it mapped to.
 */
function renamedChannel(
  { models, modelMapping, testModel }: Channel,
  { from, to }: ModelNames,
): ChannelChange {
  const { [from]: target = from, ...others } = mappingIn(modelMapping)
  const isMapped = models.includes(from) || Object.hasOwn(mappingIn(modelMapping), from)
  const mapping = { ...others, ...(isMapped && target !== to && { [to]: target }) }
  return {
    models: [...new Set(models.map((model) => (model === from ? to : model)))],
    modelMapping: Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping),
    ...(testModel === from && { testModel: to }),
  }
}

function mappingIn(text: string): Readonly<Record<string, string>> {
  if (text.trim() === '') return {}
  // Checked when it was stored.
  return JSON.parse(text) as Readonly<Record<string, string>>
}

function renamingOf({ channels, options, tokens }: Occurrences): ModelRenaming {
  return {
    channels: channels.map(({ id, name }) => ({ id, name })),
    options: [...options],
    tokens: tokens.length,
  }
}
