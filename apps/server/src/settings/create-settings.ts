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
import type { Vault } from '../lib/crypto.ts'
import type { Logger } from '../lib/logger.ts'
import { Mutex } from '../lib/mutex.ts'
import { Refusal } from '../lib/refusal.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { OptionRepository } from '../store/store.ts'
import { refuseUnmetRequirement } from './requirements.ts'
import type { Settings } from './settings.ts'

export interface SettingsDeps {
  readonly options: OptionRepository
  /** Seals secrets in the store. */
  readonly vault: Vault
  readonly bus: ChangeBus
  readonly logger: Logger
}

/**
 * Loads what is stored. A stored value that is not valid, or a secret sealed by another installation, is
 * logged and its default stays in force: a bad row must not keep the gateway from starting.
 */
export async function createSettings(deps: SettingsDeps): Promise<Settings> {
  const { options, vault, bus } = deps
  let current = withStored(defaults, settingKeys, await options.listAll(), deps)
  /** One change at a time: each check sees the change before it, and what is stored last is in force last. */
  const changes = new Mutex()

  async function write(key: SettingKey, text: string): Promise<void> {
    const parsed = parseSetting(key, text)
    if (!parsed.ok) throw new Refusal(parsed.code, parsed.details)
    // Also a secret of blanks only: "no change".
    if (isSecret(key) && parsed.value === '') return
    const next = replaced(current, key, parsed.value)
    refuseUnmetRequirement(key, next)
    const stored = formatSetting(key, parsed.value)
    await options.set(key, isSecret(key) ? vault.seal(stored) : stored)
    current = next
    bus.publish('options-changed', { keys: [key] })
  }

  return {
    get current() {
      return current
    },
    async set(key, text) {
      if (text !== undefined) await changes.run(() => write(key, text))
    },
    list: (role) =>
      settingKeys
        .filter((key) => mayRead(role, key) && !isSecret(key))
        .map((key) => ({ key, value: formatSetting(key, current[key]) })),
    reload: (keys) =>
      changes.run(async () => {
        current = withStored(current, keys.filter(isSettingKey), await options.listAll(), deps)
      }),
  }
}

type StoredOption = Awaited<ReturnType<OptionRepository['listAll']>>[number]

/**
 * `base` with the stored values of `keys`; a key that is not stored gets its default back. Rows of names that
 * the catalogue does not know (imported, or from a newer version) are left alone.
 */
function withStored(
  base: SettingValues,
  keys: readonly SettingKey[],
  stored: readonly StoredOption[],
  deps: Pick<SettingsDeps, 'vault' | 'logger'>,
): SettingValues {
  const texts = new Map(stored.map(({ key, value }) => [key, value]))
  const read = keys.map((key) => [key, readStored(key, texts.get(key), deps)] as const)
  // Each pair has a key and its own value, which the type of fromEntries does not express: hence the cast.
  return Object.freeze({ ...base, ...Object.fromEntries(read) } as SettingValues)
}

function readStored(
  key: SettingKey,
  text: string | undefined,
  { vault, logger }: Pick<SettingsDeps, 'vault' | 'logger'>,
): SettingValues[SettingKey] {
  if (text === undefined) return defaults[key]
  const opened = isSecret(key) ? unsealed(vault, text) : text
  const parsed = opened === undefined ? undefined : parseSetting(key, opened)
  if (parsed?.ok) return parsed.value
  // The value is not logged: it may be a secret, stored in clear by mistake.
  logger.warn(
    { option: key, problem: parsed?.code ?? 'not sealed here' },
    'stored option is invalid, using its default',
  )
  return defaults[key]
}

function unsealed(vault: Vault, sealed: string): string | undefined {
  try {
    return vault.open(sealed)
  } catch {
    return undefined
  }
}

function replaced<Key extends SettingKey>(
  values: SettingValues,
  key: Key,
  value: SettingValues[Key],
): SettingValues {
  return Object.freeze({ ...values, [key]: value })
}
