import { unixSeconds } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ChannelRepository } from '../../store/channels/channels.ts'
import type { AutoDisableControl } from '../health/auto-disable.ts'
import { callsSucceed, type ReadRecentAttempts } from '../health/recent-attempts.ts'
import type { ProviderFor } from '../routing/provider-of.ts'
import type { ChannelSnapshot, RoutedChannel } from '../routing/routing-types.ts'
import {
  type ChannelOutcome,
  type ChannelRunControl,
  ChannelRunner,
  type RunProgress,
} from '../testing/channel-runner.ts'
import { keyToTest } from '../testing/channel-tester.ts'
import { routedChannel } from '../testing/test-channel.ts'
import { type BalanceDependencies, readBalance } from './read-balance.ts'

export interface BalancesDependencies extends BalanceDependencies {
  readonly channels: Pick<ChannelRepository, 'find' | 'update'>
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly control: Pick<AutoDisableControl, 'disableKey'>
  readonly settings: SettingsReader
  /** Outcomes of the last hour's calls, without tests. */
  readonly recentAttempts: ReadRecentAttempts
  readonly providerFor: ProviderFor
  readonly auditLog: AuditLog
  readonly logger: Pick<Logger, 'error'>
}

const scheduler = { username: 'system' }

/** A run over all enabled channels whose upstream reports a balance, and updates of single channels. */
export class ChannelBalances implements ChannelRunControl<{ readonly username: string }> {
  readonly #deps: BalancesDependencies
  readonly #runner: ChannelRunner

  constructor(deps: BalancesDependencies) {
    this.#deps = deps
    this.#runner = new ChannelRunner(deps)
  }

  get progress(): RunProgress {
    return this.#runner.progress
  }

  /** Requests the balance of one channel, whatever its status, and stores it. The status stays as it is. */
  async update(id: number, actor: Actor): Promise<number> {
    const channel = await routedChannel(id, this.#deps)
    const balance = await this.#update(channel, keyToTest(channel))
    const target = { kind: 'channel' as const, id, name: channel.name }
    await this.#deps.auditLog.record(actor, {
      action: 'channel.update-balance',
      target,
      after: { balance },
    })
    return balance
  }

  start(starter: { readonly username: string }): void {
    if (this.progress.running) throw new Refusal('channel_balances_running')
    this.#runner
      .run(this.#all(starter))
      .catch((error: unknown) =>
        this.#deps.logger.error(
          { err: error },
          'the update of all balances broke off for the cause in err: start it again',
        ),
      )
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!this.progress.running) await this.#runner.run({ ...this.#all(scheduler), signal })
  }

  cancel(): Promise<RunProgress> {
    return this.#runner.cancel()
  }

  #all({ username }: { readonly username: string }) {
    const channels = this.#deps.directory.snapshot.channels.filter(
      ({ status, provider }) => status === 'enabled' && provider.balance !== undefined,
    )
    // The run is under way from here on: each check waits for it.
    const recent = this.#deps.recentAttempts()
    recent.catch(() => undefined)
    const work = async (channel: RoutedChannel, signal: AbortSignal) =>
      this.#check(channel, callsSucceed((await recent).get(channel.id)), signal)
    return { startedBy: username, channels, work }
  }

  /**
   * Updates a balance. Takes a key without money out of service where that is allowed, unless calls succeed: free models, and
   * credit of another kind, cost an upstream account nothing that its balance tells.
   */
  async #check(channel: RoutedChannel, isInUse: boolean, signal: AbortSignal): Promise<ChannelOutcome> {
    const keyIndex = keyToTest(channel)
    try {
      const balance = await this.#update(channel, keyIndex, signal)
      const { AutomaticDisableChannelEnabled } = this.#deps.settings.current
      const isEmpty = balance <= 0 && channel.autoBan && AutomaticDisableChannelEnabled
      if (isEmpty && !isInUse)
        await this.#deps.control.disableKey(channel.id, keyIndex, {
          code: 'balance_empty',
          params: { balance },
        })
      return { isFine: true, isSpared: isEmpty && isInUse }
    } catch (error) {
      if (error instanceof Refusal) return { isFine: false }
      throw error
    }
  }

  /** Updates a balance. With several keys it is that of the key in use: which of them share an account is unknown. */
  async #update(channel: RoutedChannel, keyIndex: number, signal?: AbortSignal): Promise<number> {
    const balance = await readBalance(channel, keyIndex, this.#deps, signal)
    const balanceUpdatedAt = unixSeconds(this.#deps.wallClock)
    await this.#deps.channels.update(channel.id, { balance, balanceUpdatedAt })
    return balance
  }
}
