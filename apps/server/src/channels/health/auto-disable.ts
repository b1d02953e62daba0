import { type AuditAction, type ChannelReason, channelReasonText } from '@tollgate/api'
import { type Clock, monotonicClock, unixSeconds } from '@tollgate/base'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import type { Logger } from '../../lib/logger.ts'
import { type AuditLog, gatewayActor } from '../../records/audit-log/audit-log.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { type ChannelRepository, isInSummary } from '../../store/channels/channels.ts'
import { redactUpstream } from '../redaction.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import type { RoutedChannel } from '../routing/routing-types.ts'
import {
  type AutoDisableChange,
  compileKeywords,
  disableChannel,
  disableKey,
  enableKey,
  judgedByOptions,
  type KeywordMatcher,
  reasonToDisable,
  type StatusReason,
} from './auto-disable-changes.ts'
import type { DecisionLog } from './decision-log.ts'
import type { HealthRegistry } from './health-types.ts'
import { type AttemptOutcome, startedAfter } from './health-types.ts'

interface SwitchDependencies {
  readonly channels: Pick<ChannelRepository, 'decide'>
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'settled' | 'hasKeysOf'>
  readonly health: Pick<HealthRegistry, 'reset'>
  readonly settings: SettingsReader
  readonly decisions: DecisionLog
  readonly auditLog: Pick<AuditLog, 'record'>
  readonly bus: ChangeBus
  readonly monotonic?: Clock
  readonly wallClock: Clock
  readonly logger: Pick<Logger, 'error'>
}

/** Takes channels and keys out of service by the operator's options, and records the reason. */
export interface AutoDisable {
  /**
   * The failure as the operator's options see it: one that they disable a key for concerns the key. What follows an attempt is
   * decided from this kind alone.
   */
  judged(error: UpstreamErrorInfo, channel: Pick<RoutedChannel, 'type' | 'autoBan'>): UpstreamErrorInfo
  /** Called for every failed attempt that reached an upstream. Never throws; works in the background. */
  considerDisabling(outcome: AttemptOutcome): void
}

const maxDetailLength = 450

const auditActions = {
  'disable-key': 'channel.auto-disable-key',
  'disable-channel': 'channel.auto-disable',
  'enable-key': 'channel.auto-enable-key',
  'enable-channel': 'channel.auto-enable',
} as const satisfies Record<AutoDisableChange['kind'], AuditAction>

/** Switches channels and keys by the operator's options, and back by a person's or a test's word. */
export class AutoDisableControl implements AutoDisable {
  readonly #deps: SwitchDependencies
  readonly #monotonic: Clock
  /** Keys being disabled now, by channel and index: a burst of refusals makes one decision. */
  readonly #pending = new Map<string, Promise<void>>()
  #keywords: { readonly phrases: readonly string[]; readonly match: KeywordMatcher } | undefined

  constructor(deps: SwitchDependencies) {
    this.#deps = deps
    this.#monotonic = deps.monotonic ?? monotonicClock
  }

  judged(
    error: UpstreamErrorInfo,
    { type, autoBan }: Pick<RoutedChannel, 'type' | 'autoBan'>,
  ): UpstreamErrorInfo {
    const { AutomaticDisableChannelEnabled, AutomaticDisableKeywords } = this.#deps.settings.current
    if (!AutomaticDisableChannelEnabled || !autoBan) return error
    return judgedByOptions(error, type, this.#matcherOf(AutomaticDisableKeywords))
  }

  considerDisabling(outcome: AttemptOutcome): void {
    const { channelId, keyIndex } = outcome
    const endedAt = this.#monotonic.now()
    const reason = this.#reasonToDisable(outcome, endedAt)
    if (reason === undefined) return
    this.#inBackground(`${channelId}/${keyIndex}`, () =>
      this.#changeKey(channelId, (channel) =>
        this.#isAboutCurrentKeys(outcome, endedAt)
          ? disableKey(channel, keyIndex, this.#statusReason(reason))
          : undefined,
      ),
    )
  }

  /** Takes an enabled channel out of service. */
  disableChannel(channelId: number, reason: ChannelReason): Promise<void> {
    return this.#change(channelId, (channel) => disableChannel(channel, this.#statusReason(reason)))
  }

  /** Takes one key out of service, and the channel with its last key. */
  disableKey(channelId: number, keyIndex: number, reason: ChannelReason): Promise<void> {
    return this.#changeKey(channelId, (channel) => disableKey(channel, keyIndex, this.#statusReason(reason)))
  }

  /** Puts an automatically disabled key, and its channel, back. A channel that a person disabled stays so. */
  async enable(channelId: number, keyIndex: number, reason: ChannelReason): Promise<void> {
    await this.#changeKey(channelId, (channel) => enableKey(channel, keyIndex, this.#statusReason(reason)))
    this.#deps.health.reset(channelId)
  }

  /** Resolves when every decision made so far is recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending.values())
  }

  #reasonToDisable(outcome: AttemptOutcome, endedAt: number): ChannelReason | undefined {
    const { channelId, keyIndex, error } = outcome
    const { AutomaticDisableChannelEnabled, AutomaticDisableKeywords } = this.#deps.settings.current
    if (error === undefined || !AutomaticDisableChannelEnabled) return undefined
    const channel = this.#deps.directory.snapshot.channel(channelId)
    if (channel === undefined || !mayDisable(channel, keyIndex)) return undefined
    if (!this.#isAboutCurrentKeys(outcome, endedAt)) return undefined
    const reason = reasonToDisable(error, channel.type, this.#matcherOf(AutomaticDisableKeywords))
    if (reason === undefined) return undefined
    const detail = redactUpstream(error.message, channel).slice(0, maxDetailLength)
    return { code: reason.code, params: { ...reason.params, detail } }
  }

  /** Decides whether the attempt used the current keys: replaced keys are not judged by the failures of the old ones. */
  #isAboutCurrentKeys(outcome: AttemptOutcome, endedAt: number): boolean {
    const channel = this.#deps.directory.snapshot.channel(outcome.channelId)
    return channel !== undefined && startedAfter(channel.keysSince, outcome, endedAt)
  }

  /** Compiles the phrases when the option was replaced, not for every error. */
  #matcherOf(phrases: readonly string[]): KeywordMatcher {
    if (this.#keywords?.phrases !== phrases) this.#keywords = { phrases, match: compileKeywords(phrases) }
    return this.#keywords.match
  }

  #statusReason(reason: ChannelReason): StatusReason {
    return { reason, at: unixSeconds(this.#deps.wallClock) }
  }

  /** A change of a key, by its place: does nothing when another node has moved the keys since they were routed by. */
  #changeKey(channelId: number, decide: (channel: Channel) => AutoDisableChange | undefined): Promise<void> {
    const { directory } = this.#deps
    return this.#change(channelId, (channel) => (directory.hasKeysOf(channel) ? decide(channel) : undefined))
  }

  /** Changes a channel under its lock in the database. Resolves when the routing snapshot has the change. */
  async #change(
    channelId: number,
    decide: (channel: Channel) => AutoDisableChange | undefined,
  ): Promise<void> {
    const { channels, bus, decisions, directory } = this.#deps
    const decided = await channels.decide(channelId, decide)
    if (decided === undefined) return
    const { decision, changed } = decided
    const { kind, change, keyIndex } = decision
    bus.publish('channels-changed', { ids: [channelId], inSummary: isInSummary(change) })
    const reason = channelReasonText(decision.reason, 'en')
    decisions.add({ kind, channelId, reason, ...(keyIndex !== undefined && { keyIndex }) })
    if (changed !== undefined && change.status !== undefined) this.#announce(changed)
    await directory.settled()
    if (changed !== undefined) await this.#record(decision, changed)
  }

  /** Records a change that is made: a record that cannot be written does not undo it. */
  async #record({ kind, change, reason, keyIndex }: AutoDisableChange, { id, name }: Channel): Promise<void> {
    await this.#deps.auditLog
      .record(gatewayActor, {
        action: auditActions[kind],
        target: { kind: 'channel', id, name },
        after: {
          ...(change.status !== undefined && { status: change.status }),
          ...(keyIndex !== undefined && { key: keyIndex + 1 }),
          reason: channelReasonText(reason, 'en'),
        },
      })
      .catch((error: unknown) =>
        this.#deps.logger.error(
          { err: error },
          'a decision about a channel was not recorded in the log: check the database',
        ),
      )
  }

  /** Receives each decision, so that people are notified. */
  #announce({ id, name, status, statusReason }: Channel): void {
    if (status === 'disabled' || statusReason === null) return
    const { reason, code = '', params = {} } = statusReason
    this.#deps.bus.publish('channel-status-changed', { id, name, status, reason, code, params })
  }

  #inBackground(name: string, work: () => Promise<void>): void {
    if (this.#pending.has(name)) return
    const done = work()
      .catch((error: unknown) =>
        this.#deps.logger.error(
          { err: error },
          'this channel fails and could not be disabled: disable it in the console, and check the database',
        ),
      )
      .finally(() => this.#pending.delete(name))
    this.#pending.set(name, done)
  }
}

/** Decides whether the gateway may disable the key: it is in service, and the operator permits it. */
function mayDisable({ status, autoBan, disabledKeys }: RoutedChannel, keyIndex: number): boolean {
  return status === 'enabled' && autoBan && !disabledKeys.has(keyIndex)
}
