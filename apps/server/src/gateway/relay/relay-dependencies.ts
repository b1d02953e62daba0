import type { Clock } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { AutoDisable } from '../../channels/health/auto-disable.ts'
import type { HealthRegistry } from '../../channels/health/health-types.ts'
import type { ChannelSnapshot } from '../../channels/routing/routing-types.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { AttemptDependencies } from './attempts/attempt-result.ts'
import type { ChargeDependencies } from './charge/call-charge.ts'
import type { InFlight } from './in-flight.ts'
import type { Limit } from './limits/limits.ts'
import type { ChannelLimits } from './limits/rate-limits.ts'
import type { KeyRotation } from './routing/key-rotation.ts'
import type { Random } from './routing/plan.ts'

/** Dependencies of a call's lifecycle. */
export interface RelayDependencies extends AttemptDependencies {
  readonly ledger: Ledger
  /** Takes no calls while it does not hear the changes of other nodes, or while charges could not be recorded. */
  readonly node: { readonly hears: boolean; readonly admits: boolean }
  readonly settings: SettingsReader
  readonly channels: { readonly snapshot: ChannelSnapshot }
  readonly health: Pick<HealthRegistry, 'cooldownMs' | 'record'>
  readonly keyRing: KeyRotation
  readonly autoDisable: AutoDisable
  readonly rateLimits: readonly Limit[]
  readonly channelLimits: ChannelLimits
  readonly inFlight: InFlight
  /** A monotonic one. */
  readonly clock: Clock
  readonly random: Random
  readonly charge: ChargeDependencies
  /** Time for which a stream may be silent before a ping keeps it alive; `undefined` sends no pings. */
  readonly pings: { readonly pingMs: number | undefined }
  /** Decides whether another failed call of the user may leave a row in the log. */
  readonly logsFailure: (userId: number) => boolean
  /** Reports an internal error that broke a response off after it had started. */
  readonly fault: (error: unknown, requestId: string) => void
}
