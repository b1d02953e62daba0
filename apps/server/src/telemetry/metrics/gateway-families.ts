import type { LedgerFigures } from '../../billing/ledger-types.ts'
import type { HealthView } from '../../channels/health/health-types.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { ExportState } from '../usage-export/export-usage.ts'
import { otherLabel } from './call-meter.ts'
import { counter, type Family, gauge, type Sample } from './family.ts'

/** State of the gateway, read at each scrape. */
export interface GatewayState {
  readonly version: string
  readonly ledger: () => LedgerFigures
  readonly node: { readonly isFit: boolean }
  readonly callsInFlight: () => number
  readonly nodes: () => number
  readonly quotaPerUnit: () => number
  readonly channels: () => readonly RoutedChannel[]
  /** Returns the state of the destinations that this node sends usage to. */
  readonly exports: () => readonly ExportState[]
  readonly health: (channelId: number) => HealthView
  /** Rejects when the database does not respond. */
  readonly openTasks: () => Promise<readonly { readonly platform: string; readonly count: number }[]>
}

/** Channels that have series of their own; the rest of a larger installation has one. */
const maxChannels = 500

/** The state of this node and of the channels as it sees them. */
export async function gatewayFamilies(state: GatewayState): Promise<readonly Family[]> {
  return [
    gauge('tollgate_build_info', 'The running version.', 'max', [
      { labels: { version: state.version }, value: 1 },
    ]),
    gauge(
      'tollgate_admitting',
      'Whether this node takes calls: 1, or 0 while it refuses all.',
      'max',
      flag(state.node.isFit),
    ),
    gauge('tollgate_calls_in_flight', 'Calls being served.', 'sum', state.callsInFlight()),
    gauge(
      'tollgate_fleet_nodes',
      'Nodes that share the database, as this one sees them.',
      'max',
      state.nodes(),
    ),
    gauge('tollgate_quota_per_unit', 'Quota units of one unit of currency.', 'max', state.quotaPerUnit()),
    ...exportFamilies(state.exports()),
    ...ledgerFamilies(state.ledger()),
    ...channelFamilies(state.channels(), state.health),
    ...(await taskFamilies(state)),
  ]
}

function ledgerFamilies(ledger: LedgerFigures): readonly Family[] {
  return [
    gauge(
      'tollgate_ledger_reservations',
      'Open reservations of calls in flight.',
      'sum',
      ledger.openReservations,
    ),
    gauge(
      'tollgate_ledger_lease',
      'Whether this node may spend from its shares of balances.',
      'min',
      flag(ledger.hasLease),
    ),
    gauge('tollgate_ledger_accounts', 'Balances in memory.', 'sum', [
      { labels: { kind: 'user' }, value: ledger.users },
      { labels: { kind: 'token' }, value: ledger.tokens },
    ]),
    gauge('tollgate_flush_queue_calls', 'Settled calls that wait for the database.', 'sum', ledger.queue),
    gauge(
      'tollgate_flush_healthy',
      'Whether the database takes settled calls.',
      'min',
      flag(ledger.isFlushing),
    ),
    gauge('tollgate_journal_lag_calls', 'Journal entries that the database lacks.', 'sum', ledger.journalLag),
  ]
}

function exportFamilies(exports: readonly ExportState[]): readonly Family[] {
  const each = (read: (state: ExportState) => number): readonly Sample[] =>
    exports.map((state) => ({ labels: { destination: state.destination }, value: read(state) }))
  return [
    gauge(
      'tollgate_usage_export_behind_rows',
      'Rows of the log that a destination lacks, at most.',
      'max',
      each((of) => of.behind),
    ),
    counter(
      'tollgate_usage_export_failures_total',
      'Runs of an export that failed.',
      each((of) => of.failures),
    ),
    counter(
      'tollgate_usage_export_refused_total',
      'Records that a destination refused.',
      each((of) => of.refused),
    ),
  ]
}

const breakerStates = { closed: 0, 'half-open': 1, open: 2 } as const satisfies Record<
  HealthView['state'],
  number
>

function channelFamilies(all: readonly RoutedChannel[], healthOf: GatewayState['health']): readonly Family[] {
  const visible = all.slice(0, maxChannels).map((channel) => ({ channel, health: healthOf(channel.id) }))
  const each = (read: (of: (typeof visible)[number]) => number): readonly Sample[] =>
    visible.map((of) => ({ labels: { channel: String(of.channel.id) }, value: read(of) }))
  const statuses = new Map<string, number>()
  for (const { status } of all) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return [
    gauge(
      'tollgate_channels',
      'Channels by status.',
      'max',
      [...statuses].map(([status, value]) => ({ labels: { status }, value })),
    ),
    gauge('tollgate_channel_info', 'Name and provider of a channel, to join by its id.', 'max', [
      ...visible.map(({ channel }) => ({ labels: infoOf(channel), value: 1 })),
      ...(all.length > maxChannels
        ? [{ labels: { channel: otherLabel, name: otherLabel, provider: otherLabel }, value: 1 }]
        : []),
    ]),
    gauge(
      'tollgate_channel_up',
      'Whether a channel is enabled and its breaker lets calls through.',
      'min',
      each(({ channel, health }) => flag(channel.status === 'enabled' && health.state !== 'open')),
    ),
    gauge(
      'tollgate_channel_breaker_state',
      'Breaker of the worst model: 0 closed, 1 half-open, 2 open.',
      'max',
      each(({ health }) => breakerStates[health.state]),
    ),
    gauge(
      'tollgate_channel_error_ratio',
      "Share of the last minute's attempts that failed, 0 to 1.",
      'max',
      each(({ health }) => health.errorRate),
    ),
    gauge(
      'tollgate_channel_keys',
      'Keys of a channel.',
      'max',
      each(({ channel }) => channel.keys.length),
    ),
    gauge(
      'tollgate_channel_keys_out',
      'Keys that are disabled or in cooldown.',
      'max',
      each(
        ({ channel, health }) => new Set([...channel.disabledKeys.keys(), ...health.coolingKeys.keys()]).size,
      ),
    ),
  ]
}

function infoOf({ id, name, provider }: RoutedChannel) {
  return { channel: String(id), name, provider: provider.id }
}

/**
 * Returns the families of tasks in the whole database. None while it does not respond: the rest of the scrape matters most then.
 */
async function taskFamilies({ openTasks }: GatewayState): Promise<readonly Family[]> {
  try {
    const byPlatform = new Map<string, number>()
    for (const { platform, count } of await openTasks())
      byPlatform.set(platform, (byPlatform.get(platform) ?? 0) + count)
    const samples = [...byPlatform].map(([platform, value]) => ({ labels: { platform }, value }))
    return [gauge('tollgate_tasks_open', 'Tasks that have not ended, of all nodes.', 'max', samples)]
  } catch {
    return []
  }
}

function flag(value: boolean): number {
  return value ? 1 : 0
}
