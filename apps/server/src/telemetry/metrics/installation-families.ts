import type { ChannelBalance } from '../../store/installation/installation.ts'
import type { MarginOf } from '../../store/log/margins.ts'
import type { InstallationFigures } from '../installation.ts'
import { type Family, gauge, type Sample } from './family.ts'

/** State of this machine's clock: whether it is trusted, and its difference to the database's. */
export interface ClockState {
  readonly isTrusted: boolean
  /** Milliseconds; `undefined` where there is no other clock, or before they were compared. */
  readonly aheadMs: number | undefined
}

/** Returns the families on which an operator must act before something ends badly. None for a figure that cannot be read now. */
export function installationFamilies(figures: InstallationFigures, clock: ClockState): readonly Family[] {
  return [
    ...diskFamilies(figures),
    ...databaseFamilies(figures),
    ...clockFamilies(clock),
    gauge(
      'tollgate_last_backup_timestamp_seconds',
      'When the last backup of this node was whole, in Unix seconds; 0 for never.',
      'max',
      toSeconds(figures.lastBackupMs),
    ),
    gauge(
      'tollgate_certificate_end_timestamp_seconds',
      "Until when the certificate at the server's address holds, in Unix seconds.",
      'min',
      known(figures.certificateEndMs),
    ),
  ]
}

function diskFamilies({ disk, journalBytes }: InstallationFigures): readonly Family[] {
  const journal = gauge('tollgate_journal_bytes', 'Size of the files of the journal.', 'sum', journalBytes)
  if (disk === undefined) return [journal]
  return [
    gauge('tollgate_disk_free_bytes', 'Free space on the disk of the data folder.', 'min', disk.freeBytes),
    gauge('tollgate_disk_size_bytes', 'Size of the disk of the data folder.', 'max', disk.totalBytes),
    journal,
  ]
}

function databaseFamilies({ database, isDamaged }: InstallationFigures): readonly Family[] {
  const damage = gauge(
    'tollgate_database_damaged',
    'Whether the database says that its data are damaged.',
    'max',
    isDamaged ? 1 : 0,
  )
  if (database === undefined) return [damage]
  const { size, endingKeys, lostCalls, balances, margins } = database
  return [
    damage,
    gauge('tollgate_database_size_bytes', 'Size of the database.', 'max', size.bytes),
    gauge('tollgate_database_free_bytes', 'Part of it that deletions left unused.', 'max', size.freeBytes),
    gauge('tollgate_keys_ending', 'API keys in use that expire within a week.', 'max', endingKeys),
    gauge(
      'tollgate_journal_lost_calls',
      'Settled calls that starts of nodes found lost, at most, within 30 days.',
      'max',
      lostCalls,
    ),
    ...balanceFamilies(balances),
    ...marginFamilies(margins),
  ]
}

function balanceFamilies(balances: readonly ChannelBalance[]): readonly Family[] {
  const each = (read: (of: ChannelBalance) => number): readonly Sample[] =>
    balances.map((of) => ({ labels: { channel: String(of.channel) }, value: read(of) }))
  return [
    gauge(
      'tollgate_channel_balance',
      "Money left at a channel's upstream, in the upstream's currency, when it was last read.",
      'max',
      each(({ balance }) => balance),
    ),
    gauge(
      'tollgate_channel_balance_timestamp_seconds',
      'When that was, in Unix seconds.',
      'max',
      each(({ at }) => at),
    ),
  ]
}

function marginFamilies(margins: readonly MarginOf[]): readonly Family[] {
  const each = (read: (of: MarginOf) => number): readonly Sample[] =>
    margins.map((of) => ({ labels: { channel: String(of.id) }, value: read(of) }))
  return [
    gauge(
      'tollgate_day_charged_quota',
      'Charged within a day for calls whose cost is known, in quota units.',
      'max',
      each(({ costedQuota }) => costedQuota),
    ),
    gauge(
      'tollgate_day_cost_quota',
      'What those calls cost at the prices of their vendors, in quota units.',
      'max',
      each(({ cost }) => cost),
    ),
  ]
}

function clockFamilies({ isTrusted, aheadMs }: ClockState): readonly Family[] {
  return [
    gauge(
      'tollgate_clock_trusted',
      'Whether the clock agrees with that of the database: 1, or 0 while this node does no work of the fleet.',
      'min',
      isTrusted ? 1 : 0,
    ),
    gauge(
      'tollgate_clock_ahead_seconds',
      "How far this machine's clock is ahead of the database's; below zero where it is behind.",
      'max',
      known(aheadMs),
    ),
  ]
}

function known(ms: number | undefined): readonly Sample[] {
  return ms === undefined ? [] : [{ labels: {}, value: toSeconds(ms) }]
}

function toSeconds(ms: number): number {
  return ms / 1000
}
