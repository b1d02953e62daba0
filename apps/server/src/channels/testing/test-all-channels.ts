import { inParallel } from '../../lib/in-parallel.ts'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { EventLog, LogSubject } from '../../logs/event-log.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ChannelControl } from '../health/channel-switch.ts'
import type { ChannelSnapshot, RoutedChannel } from '../routing/routing-types.ts'
import { type ChannelTester, keyToTest } from './channel-tester.ts'
import type { TestResult } from './test-call.ts'

export interface TestAllDependencies {
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly tester: ChannelTester
  readonly control: ChannelControl
  readonly settings: SettingsReader
  readonly events: Pick<EventLog, 'appendSystemLog'>
  readonly logger: Pick<Logger, 'error'>
}

/** A run over all channels in service, one at a time in the whole process. */
export interface TestAllChannels {
  /** Starts a run in the background. Throws `Refusal` while one is under way. */
  start(actor: LogSubject): void
  /** Runs now and to the end; does nothing while a run is under way. */
  run(signal: AbortSignal): Promise<void>
}

const atOnce = 4
const scheduler: LogSubject = { userId: 0, username: 'system' }

export function createTestAllChannels(deps: TestAllDependencies): TestAllChannels {
  let running = false

  async function exclusively(actor: LogSubject, signal: AbortSignal | undefined): Promise<void> {
    running = true
    try {
      await testAll(actor, signal, deps)
    } finally {
      running = false
    }
  }

  return {
    start(actor) {
      if (running) throw new Refusal('channel_test_running')
      exclusively(actor, undefined).catch((error: unknown) =>
        deps.logger.error({ err: error }, 'the test of all channels broke off'),
      )
    },
    async run(signal) {
      if (!running) await exclusively(scheduler, signal)
    },
  }
}

async function testAll(
  actor: LogSubject,
  signal: AbortSignal | undefined,
  deps: TestAllDependencies,
): Promise<void> {
  const due = deps.directory.snapshot.channels.filter((channel) => isDue(channel, deps.settings))
  const failed: string[] = []
  const test = async (channel: RoutedChannel) => {
    const result = await deps.tester.test(channel, keyToTest(channel), undefined, signal)
    if (result.failure !== undefined) failed.push(`${channel.name} (#${channel.id})`)
    await follow(channel, result, deps)
  }
  await inParallel(due, atOnce, test, signal)
  const failures = failed.length === 0 ? '' : `: ${failed.slice(0, 50).join(', ')}`
  await deps.events.appendSystemLog(
    actor,
    `Test of ${due.length} channels, ${failed.length} failed${failures}`,
  )
}

/** Channels in service, and those out of it that a passing test may bring back; never what a person switched off. */
function isDue(channel: RoutedChannel, settings: SettingsReader): boolean {
  if (channel.status === 'auto-disabled') return settings.current.AutomaticEnableChannelEnabled
  return channel.status === 'enabled'
}

/** What a test of the run means for the channel. */
async function follow(channel: RoutedChannel, result: TestResult, deps: TestAllDependencies): Promise<void> {
  const tooSlow = slowness(result, deps.settings)
  if (channel.status === 'auto-disabled') {
    if (result.failure === undefined && tooSlow === undefined) {
      await deps.control.enable(channel.id, result.keyIndex, 'passed a test')
    }
    return
  }
  const { failure, keyIndex, model, ms } = result
  if (failure?.error !== undefined) {
    deps.control.considerDisabling({ channelId: channel.id, keyIndex, model, ms, error: failure.error })
  }
  const reached = failure === undefined || failure.error !== undefined
  if (reached && tooSlow !== undefined && channel.autoBan)
    await deps.control.disableChannel(channel.id, tooSlow)
}

/** Why a test took too long for the operator's limit; `undefined` when it did not, or no limit is in force. */
export function slowness({ ms }: Pick<TestResult, 'ms'>, settings: SettingsReader): string | undefined {
  const { AutomaticDisableChannelEnabled, ChannelDisableThreshold: limit } = settings.current
  if (!AutomaticDisableChannelEnabled || limit <= 0 || ms <= limit * 1000) return undefined
  return `a test took ${(ms / 1000).toFixed(2)} s, longer than the limit of ${limit} s`
}
