import type { Role } from '@tollgate/api'
import type { SettingKey, SettingValues } from '@tollgate/api/settings'
import type { Store } from '../store/store.ts'

/** Values in force, typed by the catalogue. Replaced whole on every change: keep no reference to `current`. */
export interface SettingsReader {
  readonly current: SettingValues
}

/** An option as consoles read it. */
export interface OptionText {
  readonly key: SettingKey
  /** Empty for secrets, whatever they are. */
  readonly value: string
  /** Of secrets alone: whether there is one. */
  readonly is_set?: boolean
}

/** What is to become of an option. */
export interface OptionChange {
  readonly key: SettingKey
  /** `null` puts the default back, and so removes a secret. An empty text for a secret means "no change". */
  readonly text: string | null
}

/** A change that passed every check, by the values in force before and after it. */
export interface CheckedChange {
  readonly key: SettingKey
  readonly before: SettingValues[SettingKey]
  readonly after: SettingValues[SettingKey]
}

export interface Settings extends SettingsReader {
  /**
   * Validates, stores, puts in force and publishes, in that order: all of them or, when one is refused, none. What a
   * switch needs may come with it, for the outcome is what is judged.
   * @param because runs in the transaction that stores them; what it throws undoes everything
   */
  change(
    changes: readonly OptionChange[],
    inTransaction?: (tx: Store, checked: readonly CheckedChange[]) => Promise<void>,
  ): Promise<void>
  /** One change. */
  set(key: SettingKey, text: string): Promise<void>
  /** What `role` may read, as text. */
  list(role: Role): readonly OptionText[]
  /**
   * Reads again what another node stored. Publishes nothing, since a change must not be announced back and forth between
   * nodes: the caller tells the listeners of this node.
   */
  reload(keys: readonly string[]): Promise<void>
}
