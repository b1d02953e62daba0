import { type ChannelCreateBody, channelCreateBody } from '@tollgate/api'
import { defaults, type SettingValues } from '@tollgate/api/settings'
import { createHttpClient } from '@tollgate/http/client'
import { providerFor } from '@tollgate/providers'
import { createEventBus } from '../../lib/async/event-bus.ts'
import { createVault } from '../../lib/crypto.ts'
import { createOutboundGuard } from '../../lib/outbound/outbound-guard.ts'
import type { ProvableActor } from '../../records/audit-log/audit-log.ts'
import { createAuditLog } from '../../records/audit-log/audit-log.ts'
import { createEventLog } from '../../records/logs/event-log.ts'
import { usageInMemory } from '../../records/logs/test-support/usage-in-memory.ts'
import type { User } from '../../store/accounts/users.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import type { ChannelRepository } from '../../store/channels/channels.ts'
import type { SeenNode } from '../../store/fleet/nodes.ts'
import type { AuditLogRepository, NewAuditRecord } from '../../store/log/audit-log.ts'
import type { Store } from '../../store/store.ts'
import type { OpenAccount } from '../../store/work/tasks.ts'
import { createTokenExchange } from '../../upstream/credentials.ts'
import { createTransport } from '../../upstream/transport.ts'
import { createUpstreams } from '../../upstream/upstreams.ts'
import { ChannelBalances } from '../balance/update-balances.ts'
import { AutoDisableControl } from '../health/auto-disable.ts'
import { createDecisionLog } from '../health/decision-log.ts'
import { createHealthRegistry } from '../health/health-registry.ts'
import type { RecentAttempts } from '../health/recent-attempts.ts'
import { ManageChannels } from '../manage/manage-channels.ts'
import { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import { auditedRun } from '../testing/audited-run.ts'
import { createChannelTester } from '../testing/channel-tester.ts'
import { createTestAllChannels } from '../testing/test-all-channels.ts'
import { channelsInMemory } from './channels-in-memory.ts'
import { keySwitchesInMemory, switchesInMemory } from './switches-in-memory.ts'

/** Actors of the tests. */
const proven = { requireProof: () => undefined }
export const root: ProvableActor = {
  userId: 1,
  username: 'root',
  role: 'root',
  address: '192.0.2.1',
  ...proven,
}
export const admin: ProvableActor = {
  userId: 2,
  username: 'admin',
  role: 'admin',
  address: '192.0.2.2',
  ...proven,
}

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface WorldOptions {
  readonly timeoutMs?: number
  /** Store whose transactions are used. */
  readonly store?: Store
}

/** Every channel module, really built, over memory. Time stands still until a test moves it. */
export function channelWorld(options: Partial<SettingValues> = {}, more: WorldOptions = {}) {
  return channelWorldOver(channelsInMemory(), options, more)
}

/** The same over the given channel repository. */
export function channelWorldOver<Channels extends ChannelRepository>(
  channels: Channels,
  options: Partial<SettingValues> = {},
  more: WorldOptions = {},
) {
  const time = { now: 1_800_000_000_000, wallOffset: 0 }
  const monotonic = { now: () => time.now }
  const wallClock = { now: () => time.now + time.wallOffset }
  const values: { current: SettingValues } = { current: { ...defaults, ...options } }
  const usage = usageInMemory()
  const bus = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const vault = createVault('a master key that only tests know, long enough')
  const directory = new ClosableChannelDirectory({
    channels,
    vault,
    logger: quiet,
    bus,
    monotonic,
    providerFor,
  })
  const decisions = createDecisionLog({ wallClock, logger: quiet })
  const keyCount = (id: number) => directory.snapshot.channel(id)?.keys.length ?? 1
  const health = createHealthRegistry({
    monotonic,
    wallClock,
    random: () => 0,
    decisions,
    keyCount,
  })
  const unflushed = new Map<number, number>()
  const guard = createOutboundGuard({
    allowedRanges: () => values.current.OutboundAllowedRanges,
    lookup: async (host) => (host.endsWith('.example') ? ['93.184.216.34'] : []),
    clock: monotonic,
  })
  const client = createHttpClient()
  const upstreams = createUpstreams({
    transport: createTransport({ client, isProxied: false }),
    tokens: createTokenExchange(),
    guard,
  })
  const auditEvents: NewAuditRecord[] = []
  const auditLogRows: Pick<AuditLogRepository, 'append' | 'isOver'> = {
    append: async (records) => {
      auditEvents.push(...records)
      return true
    },
    isOver: async () => false,
  }
  // Does not roll back: the store's own tests show that writes of one transaction are atomic.
  const switches = switchesInMemory()
  const keySwitches = keySwitchesInMemory()
  const users = { listByIds: async () => new Map<number, User>() }
  /** Reports of the nodes and accounts with open tasks, which tests set. */
  const open = { nodes: [] as SeenNode[], accounts: [] as OpenAccount[] }
  const fleet = { list: async () => open.nodes }
  const tasks = { openAccounts: async () => open.accounts }
  const inMemory = {
    channels,
    auditLog: auditLogRows,
    channelSwitches: switches,
    channelKeySwitches: keySwitches,
    users,
  }
  const store = more.store ?? {
    auditLog: auditLogRows as AuditLogRepository,
    transaction: <Result>(work: (tx: Store) => Promise<Result>) => work(inMemory as unknown as Store),
  }
  const auditLog = createAuditLog({ store, clock: wallClock })
  const shared = {
    store,
    auditLog,
    auditEvents,
    channels,
    switches,
    keySwitches,
    users,
    fleet,
    tasks,
    open,
    vault,
    directory,
    health,
    guard,
    upstreams,
    bus,
    monotonic,
    wallClock,
    providerFor,
  }
  const ledger = { unflushed: (_: string, id: number) => ({ quota: unflushed.get(id) ?? 0, calls: 0 }) }
  const events = createEventLog({ usage, clock: wallClock })
  const tester = createChannelTester({ ...shared, ...more })
  const control = new AutoDisableControl({ ...shared, settings: values, decisions, logger: quiet })
  /** Of the last hour, by channel. */
  const recentAttempts = new Map<number, RecentAttempts>()
  const testAll = createTestAllChannels({
    recentAttempts: async () => recentAttempts,
    directory,
    tester,
    control,
    settings: values,
    events,
    bus,
    wallClock,
    logger: quiet,
  })
  const balances = new ChannelBalances({
    ...shared,
    recentAttempts: async () => recentAttempts,
    control,
    settings: values,
    logger: quiet,
    ...(more.timeoutMs !== undefined && { balanceTimeoutMs: more.timeoutMs }),
  })
  const testRun = auditedRun(testAll, auditLog, {
    start: 'channel.test-all',
    cancel: 'channel.cancel-test-all',
  })
  const balanceRun = auditedRun(balances, auditLog, {
    start: 'channel.update-all-balances',
    cancel: 'channel.cancel-update-all-balances',
  })
  const manage = new ManageChannels({ ...shared, ledger, recentAttempts: async () => recentAttempts })
  return {
    ...shared,
    recentAttempts,
    time,
    values,
    usage,
    decisions,
    unflushed,
    events,
    tester,
    control,
    testAll,
    balances,
    testRun,
    balanceRun,
    manage,
  }
}

/** Returns the body of a form with only the required fields filled in. */
export function channelForm(fields: Partial<ChannelCreateBody> = {}): ChannelCreateBody {
  return channelCreateBody.parse({
    name: 'main',
    key: 'sk-first-key-0123456789',
    models: 'gpt-4o',
    ...fields,
  })
}
