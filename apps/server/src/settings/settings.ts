import type { Role } from '@tollgate/api'
import type { SettingKey, SettingValues } from '@tollgate/api/settings'

/** Values in force, typed by the catalogue. Replaced whole on every change: keep no reference to `current`. */
export interface SettingsReader {
  readonly current: SettingValues
}

/** An option as consoles read it. */
export interface OptionText {
  readonly key: SettingKey
  readonly value: string
}

export interface Settings extends SettingsReader {
  /**
   * Validates, stores, puts in force and publishes, in that order; nothing is stored when the value is refused.
   * `text` undefined means "no change" (an untouched secret), and so does an empty text for a secret.
   */
  set(key: SettingKey, text: string | undefined): Promise<void>
  /** What `role` may read, as text; secrets never. */
  list(role: Role): readonly OptionText[]
  /**
   * Reads again what another node stored. Publishes nothing, since a change must not be announced back and forth between
   * nodes: the caller tells the listeners of this node.
   */
  reload(keys: readonly string[]): Promise<void>
}
