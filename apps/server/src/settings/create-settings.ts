import {
  defaults,
  formatSetting,
  isSecret,
  isSettingKey,
  mayRead,
  parseSetting,
  type SettingKey,
  type SettingValues,
  settingKeys,
} from '@tollgate/api/settings'
import { Mutex } from '../lib/async/mutex.ts'
import type { Vault } from '../lib/crypto.ts'
import type { Logger } from '../lib/logger.ts'
import { Refusal } from '../lib/refusal.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { StoredOption } from '../store/installation/options.ts'
import { sealContexts } from '../store/installation/sealed-places.ts'
import type { OptionRepository, Store } from '../store/store.ts'
import { type GroupMove, settleConsequences } from './consequences/consequences.ts'
import { refuseWithoutEffect } from './effective-values.ts'
import { refuseUnmetRequirements } from './requirements.ts'
import type { CheckedChange, MovedGroup, OptionChange, OptionText, Settings } from './settings.ts'

export interface SettingsDeps {
  readonly options: OptionRepository
  /** Seals secrets in the store. */
  readonly vault: Vault
  readonly bus: ChangeBus
  readonly logger: Logger
}

/**
 * Loads the stored values. A stored value that is not valid, or a secret sealed by another installation, is logged and
 * its default stays in force: a bad row must not stop the gateway from starting.
 */
export async function createSettings(deps: SettingsDeps): Promise<Settings> {
  const { options, vault, bus } = deps
  let inForce = readAgain(initial, settingKeys, await options.listAll(), deps)
  /** Guards what is in force in this process: what was stored last is in force last. The database's lock guards what is stored. */
  const mutex = new Mutex()

  async function change(
    ...[changes, inTransaction, consent = {}, lock]: Parameters<Settings['change']>
  ): Promise<void> {
    let keys: readonly SettingKey[] = []
    let moved: readonly MovedGroup[] = []
    let next = inForce
    const decide: Parameters<OptionRepository['change']>[0] = async (stored, tx) => {
      // Another node may have changed options that this one has not heard of yet.
      const now = readAgain(inForce, settingKeys, stored, deps)
      const requested = typeof changes === 'function' ? changes(now.values) : changes
      const checked = checkChanges(requested, now.values)
      keys = checked.map(({ key }) => key)
      const writes = checked.map(({ key, after, isDefault }) => ({
        key,
        value: isDefault ? null : storedText(key, after, vault),
      }))
      next = {
        values: withValues(
          now.values,
          checked.map(({ key, after }) => [key, after]),
        ),
        texts: withTexts(now.texts, writes),
      }
      refuseUnmetRequirements(keys, next.values)
      refuseWithoutEffect(keys, { before: now.values, after: next.values })
      if (checked.length === 0) return writes
      const moves = await settleConsequences(tx, { before: now.values, after: next.values }, consent)
      moved = await moveGroups(tx, moves)
      await inTransaction?.(tx, { options: checked, moved })
      return writes
    }
    await options.change(decide, async (tx) => {
      await lock?.(tx)
      await lockGroups(tx, Object.keys(consent.moves ?? {}))
    })
    inForce = next
    if (keys.length > 0) bus.publish('options-changed', { keys })
    // They may be many: directories read everything anew, and the next call finds the channels in their new group.
    if (moved.length > 0) await bus.publishAndSettle('everything-changed', { inBalances: false })
  }

  return {
    get current() {
      return inForce.values
    },
    async lockedIn({ options: joined }) {
      return readAgain(inForce, settingKeys, await joined.listLocked(), deps).values
    },
    change: (...args) => mutex.run(() => change(...args)),
    set: (key, text) => mutex.run(() => change([{ key, text }])),
    list: (reader) =>
      settingKeys.filter((key) => mayRead(reader, key)).map((key) => optionText(key, inForce.values)),
    reload: (keys) =>
      mutex.run(async () => {
        inForce = readAgain(inForce, keys.filter(isSettingKey), await options.listAll(), deps)
      }),
  }
}

/** Locks groups in the order of their names, so that two who lock several never wait for each other. */
async function lockGroups(
  { groupMembers }: Pick<Store, 'groupMembers'>,
  groups: readonly string[],
): Promise<void> {
  for (const group of groups.toSorted()) await groupMembers.lock(group)
}

async function moveGroups(
  { groupMembers }: Pick<Store, 'groupMembers'>,
  moves: readonly GroupMove[],
): Promise<readonly MovedGroup[]> {
  const moved: MovedGroup[] = []
  for (const { from, to } of moves) moved.push({ from, to, ...(await groupMembers.move(from, to)) })
  return moved
}

/** Values, and the stored texts that they were read from; an option without a text has its default. */
interface InForce {
  readonly values: SettingValues
  readonly texts: ReadonlyMap<string, string>
}

const initial: InForce = { values: defaults, texts: new Map() }

interface ParsedChange extends CheckedChange {
  /** Stores nothing: the default is in force, also a later version's. */
  readonly isDefault: boolean
}

/** The changes that change something, with their values. Throws for the first invalid one. */
function checkChanges(changes: readonly OptionChange[], current: SettingValues): readonly ParsedChange[] {
  const seen = new Set<SettingKey>()
  return changes.flatMap(({ key, text }): ParsedChange[] => {
    if (seen.has(key)) throw new Refusal('option_repeated', { key })
    seen.add(key)
    const before = current[key]
    if (text === null) return [{ key, before, after: defaults[key], isDefault: true }]
    const parsed = parseSetting(key, text)
    if (!parsed.ok) throw new Refusal(parsed.code, parsed.details)
    // Also a secret of blanks only: "no change".
    if (isSecret(key) && parsed.value === '') return []
    return [{ key, before, after: parsed.value, isDefault: false }]
  })
}

function storedText(key: SettingKey, value: SettingValues[SettingKey], vault: Vault): string {
  const text = formatSetting(key, value)
  return isSecret(key) ? vault.seal(text, sealContexts.option(key)) : text
}

function optionText(key: SettingKey, values: SettingValues): OptionText {
  if (isSecret(key)) return { key, value: '', is_set: values[key] !== '' }
  return { key, value: formatSetting(key, values[key]) }
}

/**
 * Returns the values in force with the stored ones of `keys`; a key that is not stored gets its default, and one whose text is the same
 * stays the same object. Ignores rows of names that the catalogue lacks (imported, or from a newer version).
 */
function readAgain(
  { values, texts }: InForce,
  keys: readonly SettingKey[],
  stored: readonly StoredOption[],
  deps: Pick<SettingsDeps, 'vault' | 'logger'>,
): InForce {
  const storedTexts = new Map(stored.map(({ key, value }) => [key, value]))
  const changed = keys.filter((key) => storedTexts.get(key) !== texts.get(key))
  if (changed.length === 0) return { values, texts }
  return {
    values: withValues(
      values,
      changed.map((key) => [key, readStored(key, storedTexts.get(key), deps)]),
    ),
    texts: withTexts(
      texts,
      changed.map((key) => ({ key, value: storedTexts.get(key) ?? null })),
    ),
  }
}

function withTexts(
  texts: InForce['texts'],
  changes: readonly { readonly key: string; readonly value: string | null }[],
): InForce['texts'] {
  const changed = new Map(texts)
  for (const { key, value } of changes) {
    if (value === null) changed.delete(key)
    else changed.set(key, value)
  }
  return changed
}

function withValues(
  base: SettingValues,
  values: readonly (readonly [key: SettingKey, value: SettingValues[SettingKey]])[],
): SettingValues {
  // Each pair has a key and its own value, which the type of fromEntries does not express: hence the cast.
  return Object.freeze({ ...base, ...Object.fromEntries(values) } as SettingValues)
}

function readStored(
  key: SettingKey,
  text: string | undefined,
  { vault, logger }: Pick<SettingsDeps, 'vault' | 'logger'>,
): SettingValues[SettingKey] {
  if (text === undefined) return defaults[key]
  const opened = isSecret(key) ? unsealed(vault, key, text) : text
  const parsed = opened === undefined ? undefined : parseSetting(key, opened)
  if (parsed?.ok) return parsed.value
  // The value is not logged: it may be a secret, stored in clear by mistake.
  logger.warn(
    { option: key, problem: parsed?.code ?? 'not sealed here' },
    'this stored option is invalid, and its default holds: set it again in the settings',
  )
  return defaults[key]
}

function unsealed(vault: Vault, key: SettingKey, sealed: string): string | undefined {
  try {
    return vault.open(sealed, sealContexts.option(key))
  } catch {
    return undefined
  }
}
