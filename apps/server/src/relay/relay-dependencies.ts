import type { Clock } from '@tollgate/base'
import type { Ledger } from '../billing/ledger-types.ts'
import type { ChannelSnapshot, ChannelSwitch, HealthBook } from '../channels/routing-types.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { AttemptDependencies } from './attempt.ts'
import type { InFlight } from './in-flight.ts'
import type { KeyRing } from './key-ring.ts'
import type { Random } from './plan.ts'
import type { TillDependencies } from './till.ts'

/** What the journey of a call needs, named once. */
export interface RelayDependencies extends AttemptDependencies {
  readonly ledger: Ledger
  /** False while charges could not be recorded. */
  readonly admitting: () => boolean
  readonly settings: SettingsReader
  readonly channels: { readonly snapshot: ChannelSnapshot }
  readonly health: HealthBook
  readonly keyRing: KeyRing
  readonly channelSwitch: ChannelSwitch
  readonly inFlight: InFlight
  readonly clock: Clock
  readonly random: Random
  readonly till: TillDependencies
  /** Told of a fault of ours that broke an answer off after it had begun. */
  readonly fault: (error: unknown, requestId: string) => void
}
