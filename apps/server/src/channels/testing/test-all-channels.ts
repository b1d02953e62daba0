import type { ChannelReason } from '@tollgate/api'
import type { LogEvent } from '@tollgate/api/log-events'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { EventLog, LogSubject } from '../../records/logs/event-log.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { AutoDisableControl } from '../health/auto-disable.ts'
import { callsSucceed, type ReadRecentAttempts } from '../health/recent-attempts.ts'
import type { ChannelSnapshot, RoutedChannel } from '../routing/routing-types.ts'
import {
  type ChannelOutcome,
  type ChannelRunControl,
  ChannelRunner,
  type RunProgress,
  type TakenOut,
} from './channel-runner.ts'
import { type ChannelTester, keyToTest, testFailureOf } from './channel-tester.ts'
import type { TestResult } from './test-call.ts'
import { testModelOf } from './test-model.ts'

export interface TestAllDependencies {
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly tester: ChannelTester
  readonly control: AutoDisableControl
  readonly settings: SettingsReader
  /** Outcomes of the last hour's calls, without tests. */
  readonly recentAttempts: ReadRecentAttempts
  readonly events: Pick<EventLog, 'appendSystemLog'>
  readonly bus: ChangeBus
  readonly wallClock: Clock
  readonly logger: Pick<Logger, 'error'>
}

/** A run over all channels in service. */
export type TestAllChannels = ChannelRunControl<LogSubject>

const scheduler: LogSubject = { userId: 0, username: 'system' }
/** The others are only counted. */
const namedFailures = 50

export function createTestAllChannels(deps: TestAllDependencies): TestAllChannels {
  return new AllChannelsTest(deps)
}

class AllChannelsTest implements TestAllChannels {
  readonly #deps: TestAllDependencies
  readonly #runner: ChannelRunner
  /** A run that a person started, with its effects on channels and its notice. */
  #started = Promise.resolve()

  constructor(deps: TestAllDependencies) {
    this.#deps = deps
    this.#runner = new ChannelRunner(deps)
  }

  get progress(): RunProgress {
    return this.#runner.progress
  }

  start(actor: LogSubject): void {
    if (this.progress.running) throw new Refusal('channel_test_running')
    this.#started = this.#testAll(actor).catch((error: unknown) =>
      this.#deps.logger.error(
        { err: error },
        'the test of all channels broke off for the cause in err: start it again',
      ),
    )
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!this.progress.running) await this.#testAll(scheduler, signal)
  }

  async cancel(): Promise<RunProgress> {
    const progress = await this.#runner.cancel()
    await this.#started
    return progress
  }

  async #testAll(actor: LogSubject, signal?: AbortSignal): Promise<void> {
    const { directory, settings, bus } = this.#deps
    const channels = directory.snapshot.channels.filter((channel) => isDue(channel, settings))
    const failed: RoutedChannel[] = []
    // The run is under way from here on: each test waits for it.
    const recent = this.#deps.recentAttempts()
    recent.catch(() => undefined)
    const work = async (channel: RoutedChannel, ended: AbortSignal) => {
      const outcome = await this.#test(channel, ended, callsSucceed((await recent).get(channel.id)))
      if (!outcome.isFine) failed.push(channel)
      return outcome
    }
    const progress = await this.#runner.run({ startedBy: actor.username, channels, work, signal })
    const { cancelled, total, done } = progress
    bus.publish('channel-test-finished', {
      manual: actor !== scheduler,
      cancelled,
      total,
      tested: done,
      failed: failed.map(({ id, name }) => ({ id, name })),
    })
    await this.#logResult(actor, progress, failed)
  }

  async #test(channel: RoutedChannel, signal: AbortSignal, isInUse: boolean): Promise<ChannelOutcome> {
    try {
      const result = await this.#deps.tester.test(channel, keyToTest(channel), undefined, signal)
      const isFine = result.failure === undefined
      if (isInUse && channel.status === 'enabled') return { isFine, isSpared: isBad(result, this.#deps) }
      await follow(channel, result, this.#deps)
      return { isFine, takenOut: await this.#takenOut(channel, result) }
    } catch (error) {
      // The test could not be made, which counts against this channel alone.
      if (error instanceof Refusal) return { isFine: false }
      throw error
    }
  }

  /** What is out of service behind a test, and was in service before it. */
  async #takenOut(before: RoutedChannel, result: TestResult): Promise<TakenOut | undefined> {
    const { keyIndex } = result
    await this.#deps.control.settled()
    const after = this.#deps.directory.snapshot.channel(before.id)
    if (after === undefined || before.status !== 'enabled') return undefined
    const { id, name } = after
    const reason = slowness(result, this.#deps.settings) ?? testFailureOf(result)
    if (reason === null) return undefined
    if (after.status === 'auto-disabled') return { id, name, keyIndex: null, reason }
    if (!after.disabledKeys.has(keyIndex) || before.disabledKeys.has(keyIndex)) return undefined
    return { id, name, keyIndex, reason }
  }

  async #logResult(
    actor: LogSubject,
    { total, done, cancelled }: RunProgress,
    failed: readonly RoutedChannel[],
  ): Promise<void> {
    const channels = failed.slice(0, namedFailures).map(({ id, name }) => `${name} (#${id})`)
    const params = { total, done, failed: failed.length, channels: channels.join(', ') }
    await this.#deps.events.appendSystemLog(actor, runEvent(params, cancelled))
  }
}

interface RunParams {
  readonly total: number
  readonly done: number
  readonly failed: number
  /** The first that failed, by name. */
  readonly channels: string
}

function runEvent({ channels, ...params }: RunParams, cancelled: boolean): LogEvent {
  if (cancelled)
    return channels === ''
      ? { event: 'channels_test_cancelled', params }
      : { event: 'channels_test_cancelled_with', params: { ...params, channels } }
  const { done: _all, ...counts } = params
  return channels === ''
    ? { event: 'channels_tested', params: counts }
    : { event: 'channels_tested_with', params: { ...counts, channels } }
}

/**
 * Channels in service, and those that the gateway disabled and a passing test may enable; never what a person disabled,
 * nor channels of slow and expensive models alone.
 */
function isDue(channel: RoutedChannel, settings: SettingsReader): boolean {
  if (channel.provider.modes.length === 0 || testModelOf(channel) === undefined) return false
  if (channel.status === 'auto-disabled') return settings.current.AutomaticEnableChannelEnabled
  return channel.status === 'enabled'
}

/** Whether a test failed or was slower than the operator allows. */
function isBad(result: TestResult, { settings }: Pick<TestAllDependencies, 'settings'>): boolean {
  return result.failure !== undefined || slowness(result, settings) !== undefined
}

/** What a test of the run means for the channel. */
async function follow(channel: RoutedChannel, result: TestResult, deps: TestAllDependencies): Promise<void> {
  const tooSlow = slowness(result, deps.settings)
  if (channel.status === 'auto-disabled') {
    if (result.failure === undefined && tooSlow === undefined) {
      await deps.control.enable(channel.id, result.keyIndex, { code: 'test_passed', params: {} })
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

/**
 * Returns the reason for which a test took too long for the operator's limit; `undefined` when it did not, or no limit is in force.
 */
export function slowness(
  { ms }: Pick<TestResult, 'ms'>,
  settings: SettingsReader,
): ChannelReason | undefined {
  const { AutomaticDisableChannelEnabled, ChannelDisableThreshold: limit } = settings.current
  if (!AutomaticDisableChannelEnabled || limit <= 0 || ms <= limit * 1000) return undefined
  return { code: 'too_slow', params: { seconds: (ms / 1000).toFixed(2), limit } }
}
