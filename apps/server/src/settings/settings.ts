import type { Consent, PartHolder } from '@tollgate/api'
import type { SettingKey, SettingValues } from '@tollgate/api/settings'
import type { GroupMembers } from '../store/accounts/read-group-members.ts'
import type { Store } from '../store/store.ts'

/** Values in force, typed by the catalogue. A change replaces the object: never store a reference to `current`. */
export interface SettingsReader {
  readonly current: SettingValues
}

/** Reads options within a transaction that writes what must fit to them. */
export interface LockedSettingsReader extends SettingsReader {
  /**
   * The values that are stored, also by another node a moment ago; none changes until the transaction ends. Ask for them after
   * every lock of a row.
   */
  lockedIn(tx: Pick<Store, 'options'>): Promise<SettingValues>
}

/** An option as consoles read it. */
export interface OptionText {
  readonly key: SettingKey
  /** Empty for secrets, whatever they are. */
  readonly value: string
  /** Set for a secret that is stored; absent for other options. */
  readonly is_set?: boolean
}

/** A change of one option. */
export interface OptionChange {
  readonly key: SettingKey
  /** `null` restores the default, and so removes a secret. An empty text for a secret means "no change". */
  readonly text: string | null
}

/** A change that passed every check, by the values in force before and after it. */
export interface CheckedChange {
  readonly key: SettingKey
  readonly before: SettingValues[SettingKey]
  readonly after: SettingValues[SettingKey]
}

/** Options and groups that a change writes. */
export interface WrittenChanges {
  readonly options: readonly CheckedChange[]
  /** Groups that were removed, with the users, keys and channels that went to another one. */
  readonly moved: readonly MovedGroup[]
}

export interface MovedGroup extends GroupMembers {
  readonly from: string
  readonly to: string
}

/** Changes that follow from the values as they are while nobody else can change them, on any node. */
export type ChangesOf<Change> = (now: SettingValues) => readonly Change[]

export interface Settings extends LockedSettingsReader {
  /**
   * Validates, stores, puts in force and publishes, in that order: all of them or, when one is refused, none. A switch
   * and its requirement may come together, because the result is validated, by the options as all nodes have stored them.
   * @param inTransaction runs in the transaction that stores them; what it throws undoes everything
   * @param lock reads and locks rows that the change writes: their locks come before the options'
   * @param consent what the person has answered to the consequences that are asked about
   */
  change(
    changes: readonly OptionChange[] | ChangesOf<OptionChange>,
    inTransaction?: (tx: Store, written: WrittenChanges) => Promise<void>,
    consent?: Consent,
    lock?: (tx: Store) => Promise<void>,
  ): Promise<void>
  /** One change. */
  set(key: SettingKey, text: string): Promise<void>
  /** The options that somebody may read, as text. */
  list(reader: PartHolder): readonly OptionText[]
  /**
   * Reloads options that another node stored. Publishes nothing, since nodes must not announce a change back and forth:
   * the caller notifies the listeners of this node.
   */
  reload(keys: readonly string[]): Promise<void>
}
