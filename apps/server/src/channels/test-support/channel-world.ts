import { type ChannelCreateBody, channelCreateBody } from '@tollgate/api'
import { defaults, type SettingValues } from '@tollgate/api/settings'
import { createHttpClient } from '@tollgate/http/client'
import { providerFor } from '@tollgate/providers'
import { createVault } from '../../lib/crypto.ts'
import { createEventBus } from '../../lib/event-bus.ts'
import { KeyedMutex } from '../../lib/mutex.ts'
import { createOutboundGuard } from '../../lib/outbound-guard.ts'
import { createEventLog } from '../../logs/event-log.ts'
import { usageInMemory } from '../../logs/test-support/usage-in-memory.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import type { ChannelRepository } from '../../store/store.ts'
import { createTokenExchange } from '../../upstream/credentials/token-exchange.ts'
import { createTransport } from '../../upstream/transport.ts'
import { createUpstreams } from '../../upstream/upstreams.ts'
import { createChannelSwitch } from '../health/channel-switch.ts'
import { createDecisionLog } from '../health/decision-log.ts'
import { createHealthBook } from '../health/health-book.ts'
import { createManageChannels } from '../manage/manage-channels.ts'
import { createChannelDirectory } from '../routing/channel-directory.ts'
import { createChannelTester } from '../testing/channel-tester.ts'
import { createTestAllChannels } from '../testing/test-all-channels.ts'
import { channelsInMemory } from './channels-in-memory.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Everything about channels, really built, over memory. Time stands still until a test moves it. */
export function channelWorld(
  options: Partial<SettingValues> = {},
  more: { readonly timeoutMs?: number } = {},
) {
  return channelWorldOver(channelsInMemory(), options, more)
}

/** The same over channels that are kept elsewhere. */
export function channelWorldOver<Channels extends ChannelRepository>(
  channels: Channels,
  options: Partial<SettingValues> = {},
  more: { readonly timeoutMs?: number } = {},
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
  const directory = createChannelDirectory({
    channels,
    vault,
    logger: quiet,
    bus,
    monotonic,
    providerFor,
  })
  const decisions = createDecisionLog({ wallClock, logger: quiet })
  const keyCount = (id: number) => directory.snapshot.channel(id)?.keys.length ?? 1
  const health = createHealthBook({
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
  const locks = new KeyedMutex<number>()
  const client = createHttpClient()
  const upstreams = createUpstreams({
    transport: createTransport({ client, isProxied: false }),
    tokens: createTokenExchange(),
    guard,
  })
  const shared = {
    channels,
    vault,
    directory,
    health,
    guard,
    upstreams,
    locks,
    bus,
    monotonic,
    wallClock,
    providerFor,
  }
  const ledger = { unflushed: (_: string, id: number) => ({ quota: unflushed.get(id) ?? 0, calls: 0 }) }
  const events = createEventLog({ usage, clock: wallClock })
  const tester = createChannelTester({ ...shared, ...more })
  const control = createChannelSwitch({ ...shared, settings: values, decisions, logger: quiet })
  const testAll = createTestAllChannels({
    directory,
    tester,
    control,
    settings: values,
    events,
    logger: quiet,
  })
  const manage = createManageChannels({ ...shared, ledger })
  return { ...shared, time, values, usage, decisions, unflushed, events, tester, control, testAll, manage }
}

/** What a form sends when only the required fields are filled in. */
export function channelForm(fields: Partial<ChannelCreateBody> = {}): ChannelCreateBody {
  return channelCreateBody.parse({
    name: 'main',
    key: 'sk-first-key-0123456789',
    models: 'gpt-4o',
    ...fields,
  })
}
