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
import { sealedPlaces } from '../store/sealed-places.ts'
import type { OptionRepository } from '../store/store.ts'
import { refuseUnmetRequirements } from './requirements.ts'
import type { CheckedChange, OptionChange, OptionText, Settings } from './settings.ts'

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
  let current = withStored(defaults, settingKeys, await options.listAll(), deps)
  /** One change at a time: each check sees the change before it, and what is stored last is in force last. */
  const mutex = new Mutex()

  async function change(...[changes, inTransaction]: Parameters<Settings['change']>): Promise<void> {
    const checked = checkChanges(changes, current)
    if (checked.length === 0) return
    const next = withValues(
      current,
      checked.map(({ key, after }) => [key, after]),
    )
    const keys = checked.map(({ key }) => key)
    refuseUnmetRequirements(keys, next)
    const stored = checked.map(({ key, after, isDefault }) => ({
      key,
      value: isDefault ? null : storedText(key, after, vault),
    }))
    await options.write(stored, inTransaction && ((tx) => inTransaction(tx, checked)))
    current = next
    bus.publish('options-changed', { keys })
  }

  return {
    get current() {
      return current
    },
    change: (...args) => mutex.run(() => change(...args)),
    set: (key, text) => mutex.run(() => change([{ key, text }])),
    list: (role) => settingKeys.filter((key) => mayRead(role, key)).map((key) => optionText(key, current)),
    reload: (keys) =>
      mutex.run(async () => {
        current = withStored(current, keys.filter(isSettingKey), await options.listAll(), deps)
      }),
  }
}

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
  return isSecret(key) ? vault.seal(text, sealedPlaces.option(key)) : text
}

function optionText(key: SettingKey, values: SettingValues): OptionText {
  if (isSecret(key)) return { key, value: '', is_set: values[key] !== '' }
  return { key, value: formatSetting(key, values[key]) }
}

type StoredOption = Awaited<ReturnType<OptionRepository['listAll']>>[number]

/**
 * `base` with the stored values of `keys`; a key that is not stored gets its default. Ignores rows of names that the
 * catalogue lacks (imported, or from a newer version).
 */
function withStored(
  base: SettingValues,
  keys: readonly SettingKey[],
  stored: readonly StoredOption[],
  deps: Pick<SettingsDeps, 'vault' | 'logger'>,
): SettingValues {
  const texts = new Map(stored.map(({ key, value }) => [key, value]))
  return withValues(
    base,
    keys.map((key) => [key, readStored(key, texts.get(key), deps)]),
  )
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
    'stored option is invalid, using its default',
  )
  return defaults[key]
}

function unsealed(vault: Vault, key: SettingKey, sealed: string): string | undefined {
  try {
    return vault.open(sealed, sealedPlaces.option(key))
  } catch {
    return undefined
  }
}
