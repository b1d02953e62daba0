import { type Clock, monotonicClock } from '@tollgate/base'
import type { AutoDisableControl } from '../../channels/health/auto-disable.ts'
import type { ChannelSnapshot, RoutedChannel } from '../../channels/routing/routing-types.ts'
import { type ChannelTester, keyToTest } from '../../channels/testing/channel-tester.ts'
import { slowness } from '../../channels/testing/test-all-channels.ts'
import { testModelOf } from '../../channels/testing/test-model.ts'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'

export interface ProbeDependencies {
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly tester: ChannelTester
  readonly control: AutoDisableControl
  readonly settings: SettingsReader
  /** The monotonic clock when not given. */
  readonly monotonic?: Clock
  /** Pause before the first probe of a disabled channel or key; doubles after each failed one. */
  readonly firstPauseMs: number
}

/** An automatically disabled key, or the only key of a disabled channel. */
interface ProbeTarget {
  readonly channel: RoutedChannel
  readonly keyIndex: number
}

/** Time of a target's next probe, and the pause before it. */
interface NextProbe {
  at: number
  pauseMs: number
}

const maxPauseMs = 30 * 60_000
const concurrency = 4

/**
 * Probes automatically disabled channels and keys with a small real call under exponential backoff, and enables those
 * that pass. Leaves alone what a person disabled, and probes nothing unless the operator's option is on.
 */
export function createProbeChannels(deps: ProbeDependencies): (signal: AbortSignal) => Promise<void> {
  const clock = deps.monotonic ?? monotonicClock
  const maxMs = Math.max(maxPauseMs, deps.firstPauseMs)
  let nextProbes = new Map<string, NextProbe>()

  /** The due targets. Forgets the next probe of targets that recovered or were deleted. */
  function dueTargets(): readonly ProbeTarget[] {
    const now = clock.now()
    const retained = new Map<string, NextProbe>()
    const due = deps.directory.snapshot.channels.flatMap(probeTargetsOf).filter((target) => {
      const name = nameOf(target)
      const next = nextProbes.get(name) ?? { at: now + deps.firstPauseMs, pauseMs: deps.firstPauseMs }
      retained.set(name, next)
      return next.at <= now
    })
    nextProbes = retained
    return due
  }

  async function probe(target: ProbeTarget, signal: AbortSignal): Promise<void> {
    const { channel, keyIndex } = target
    const result = await deps.tester.test(channel, keyIndex, undefined, signal).catch(refusedTest)
    if (result && result.failure === undefined && slowness(result, deps.settings) === undefined) {
      nextProbes.delete(nameOf(target))
      return deps.control.enable(channel.id, keyIndex, {
        code: 'probe_passed',
        params: { model: result.model },
      })
    }
    const next = nextProbes.get(nameOf(target))
    if (next === undefined) return
    next.pauseMs = Math.min(next.pauseMs * 2, maxMs)
    next.at = clock.now() + next.pauseMs
  }

  return async (signal) => {
    if (!deps.settings.current.AutomaticEnableChannelEnabled) {
      nextProbes.clear()
      return
    }
    await inParallel(dueTargets(), concurrency, (target) => probe(target, signal), signal)
  }
}

/** A test that cannot be made, as its parameters say, is one that failed: the next one waits, too. */
function refusedTest(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

function probeTargetsOf(channel: RoutedChannel): readonly ProbeTarget[] {
  if (channel.status === 'disabled' || testModelOf(channel) === undefined) return []
  const disabled = [...channel.disabledKeys]
    .filter(([, { isManual }]) => isManual !== true)
    .map(([keyIndex]) => ({ channel, keyIndex }))
  // Disabled without a disabled key: its only key was refused, or it was too slow.
  if (disabled.length === 0 && channel.status === 'auto-disabled')
    return [{ channel, keyIndex: keyToTest(channel) }]
  return disabled
}

function nameOf({ channel, keyIndex }: ProbeTarget): string {
  return `${channel.id}/${keyIndex}`
}
