import { type Clock, unixSeconds } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Channel, ChannelKeyState } from '../../store/entities.ts'
import type { ChannelChange, ChannelRepository } from '../../store/store.ts'
import type { ChannelLocks } from '../channel-locks.ts'
import { redactUpstream } from '../redaction.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import type { AttemptOutcome, ChannelSwitch, HealthBook, RoutedChannel } from '../routing/routing-types.ts'
import type { DecisionKind, DecisionLog } from './decision-log.ts'
import { compileKeywords, type KeywordMatcher, reasonToDisable } from './disable-rule.ts'

interface SwitchDependencies {
  readonly channels: Pick<ChannelRepository, 'find' | 'update'>
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'settled'>
  readonly health: Pick<HealthBook, 'reset'>
  readonly settings: SettingsReader
  readonly locks: ChannelLocks
  readonly decisions: DecisionLog
  readonly bus: ChangeBus
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
}

export interface ChannelControl extends ChannelSwitch {
  /** Takes an enabled channel out of service. */
  disableChannel(channelId: number, reason: string): Promise<void>
  /** Puts an automatically disabled key, and its channel, back. A channel that a person disabled stays so. */
  enable(channelId: number, keyIndex: number, reason: string): Promise<void>
  /** Resolves when every decision made so far is written down. */
  settled(): Promise<void>
}

const maximumReasonLength = 500
/** A start computed from a duration may come out a little early. */
const clockSlackMs = 5

export function createChannelSwitch(deps: SwitchDependencies): ChannelControl {
  const keyword = createKeywordMatcher(deps.settings)
  /** Keys being disabled now: a burst of refusals makes one decision. */
  const pending = new Map<string, Promise<void>>()

  /** Changes a channel after the changes before it, and returns when routing knows. */
  function change(
    channelId: number,
    kind: DecisionKind,
    decide: (channel: Channel) => (ChannelChange & { readonly reason: string }) | undefined,
  ): Promise<void> {
    return deps.locks.run(channelId, async () => {
      const channel = await deps.channels.find(channelId)
      const decided = channel === undefined ? undefined : decide(channel)
      if (decided === undefined) return
      const { reason, ...written } = decided
      await deps.channels.update(channelId, written)
      deps.bus.publish('channels-changed', { ids: [channelId] })
      deps.decisions.add({ kind: decidedKind(kind, written), channelId, reason })
      await deps.directory.settled()
    })
  }

  function reasonOf(reason: string): { readonly reason: string; readonly at: number } {
    return { reason, at: unixSeconds(deps.clock) }
  }

  function disableKey(
    { channelId, keyIndex }: AttemptOutcome,
    startedAt: number,
    reason: string,
  ): Promise<void> {
    return change(channelId, 'disable-key', (channel) => {
      if (channel.status !== 'enabled' || isKeyDisabled(channel, keyIndex)) return undefined
      if (!speaksOf(deps.directory.snapshot.channel(channelId), startedAt)) return undefined
      const why = reasonOf(reason)
      if (channel.keyCount === 1) return { status: 'auto-disabled', statusReason: why, reason }
      const keyStates = [...channel.keyStates, { index: keyIndex, status: 'auto-disabled' as const, ...why }]
      if (keyStates.length < channel.keyCount) return { keyStates, reason: `key ${keyIndex + 1}: ${reason}` }
      return {
        keyStates,
        status: 'auto-disabled',
        statusReason: reasonOf(`no key is left; the last: ${reason}`),
        reason,
      }
    })
  }

  function inBackground(name: string, work: () => Promise<void>): void {
    if (pending.has(name)) return
    const done = work()
      .catch((error: unknown) => deps.logger.error({ err: error }, 'a channel could not be disabled'))
      .finally(() => pending.delete(name))
    pending.set(name, done)
  }

  return {
    considerDisabling(outcome) {
      const { channelId, keyIndex, error } = outcome
      const channel = deps.directory.snapshot.channel(channelId)
      if (error === undefined || !deps.settings.current.AutomaticDisableChannelEnabled) return
      const startedAt = deps.clock.now() - outcome.ms
      if (channel === undefined || channel.status !== 'enabled' || !channel.autoBan) return
      if (channel.disabledKeys.has(keyIndex) || !speaksOf(channel, startedAt)) return
      const why = reasonToDisable(error, channel.type, keyword())
      if (why === undefined) return
      const reason = `${why}: ${redactUpstream(error.message, channel)}`.slice(0, maximumReasonLength)
      inBackground(`${channelId}/${keyIndex}`, () => disableKey(outcome, startedAt, reason))
    },
    disableChannel: (channelId, reason) =>
      change(channelId, 'disable-channel', (channel) =>
        channel.status === 'enabled'
          ? { status: 'auto-disabled', statusReason: reasonOf(reason), reason }
          : undefined,
      ),
    async enable(channelId, keyIndex, reason) {
      await change(channelId, 'enable-key', (channel) => {
        if (channel.status === 'disabled') return undefined
        const keyStates = channel.keyStates.filter((state) => state.index !== keyIndex)
        if (channel.status === 'enabled') {
          return keyStates.length === channel.keyStates.length ? undefined : { keyStates, reason }
        }
        return { keyStates, status: 'enabled', statusReason: reasonOf(reason), reason }
      })
      deps.health.reset(channelId)
    },
    async settled() {
      await Promise.all(pending.values())
    },
  }
}

/** Whether an attempt that began then used the keys of now: replaced keys are not judged by what the old ones did. */
function speaksOf(channel: RoutedChannel | undefined, startedAt: number): boolean {
  return channel !== undefined && channel.keysSince <= startedAt + clockSlackMs
}

/** A decision that changed the status is about the channel, not only about one of its keys. */
function decidedKind(kind: DecisionKind, change: ChannelChange): DecisionKind {
  if (change.status === undefined) return kind
  return change.status === 'enabled' ? 'enable-channel' : 'disable-channel'
}

function isKeyDisabled(channel: Channel, keyIndex: number): boolean {
  return (
    keyIndex >= channel.keyCount ||
    channel.keyStates.some((state: ChannelKeyState) => state.index === keyIndex)
  )
}

/** Compiles the phrases when the option was replaced, not for every error. */
function createKeywordMatcher(settings: SettingsReader): () => KeywordMatcher {
  let phrases: readonly string[] = []
  let matcher = compileKeywords(phrases)
  return () => {
    const current = settings.current.AutomaticDisableKeywords
    if (current !== phrases) {
      phrases = current
      matcher = compileKeywords(current)
    }
    return matcher
  }
}
