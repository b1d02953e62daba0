import type { ChannelBalances } from '../../channels/balance/update-balances.ts'
import type { TestAllChannels } from '../../channels/testing/test-all-channels.ts'
import { createProbeChannels, type ProbeDependencies } from './probe-channels.ts'
import type { Job } from './scheduler.ts'

export interface ChannelJobsDependencies extends Omit<ProbeDependencies, 'firstPauseMs'> {
  readonly testAll: TestAllChannels
  readonly probeSeconds: number
  /** Minutes between tests of all channels; `undefined` means never. */
  readonly testMinutes: number | undefined
  readonly balances: Pick<ChannelBalances, 'run'>
  /** The same between updates of all balances. */
  readonly balanceMinutes: number | undefined
  /** Switches the channels and keys whose planned time has come. */
  readonly runSchedules: (signal: AbortSignal) => Promise<void>
  /** Disables the draining channels on which nothing is open any more. */
  readonly runDrains: (signal: AbortSignal) => Promise<void>
  /** Writes the latest outcomes of channels. */
  readonly writeOutcomes: () => Promise<void>
}

/** Longest pause between looks for due probes: short enough that a pause of seconds means seconds. */
const maxLookMs = 15_000
/** A restart loses at most this much of the last outcomes; the writes do not grow with traffic. */
const writeOutcomesEveryMs = 30_000

/** Planned times are minutes. */
const switchEveryMs = 5_000

/** Scheduled work on channels. */
export function channelJobs(deps: ChannelJobsDependencies): readonly Job[] {
  const firstPauseMs = deps.probeSeconds * 1000
  const probe: Job = {
    name: 'probe-channels',
    scope: 'fleet',
    everyMs: Math.min(firstPauseMs, maxLookMs),
    run: createProbeChannels({ ...deps, firstPauseMs }),
  }
  const outcomes: Job = {
    name: 'write-channel-outcomes',
    // What this node has seen.
    scope: 'node',
    everyMs: writeOutcomesEveryMs,
    run: deps.writeOutcomes,
  }
  const schedules: Job = {
    name: 'switch-channels',
    scope: 'fleet',
    everyMs: switchEveryMs,
    run: deps.runSchedules,
  }
  const drains: Job = { name: 'end-drains', scope: 'fleet', everyMs: switchEveryMs, run: deps.runDrains }
  return [
    probe,
    outcomes,
    schedules,
    drains,
    ...everyMinutes('test-all-channels', deps.testMinutes, deps.testAll),
    ...everyMinutes('update-all-balances', deps.balanceMinutes, deps.balances),
  ]
}

function everyMinutes(
  name: string,
  minutes: number | undefined,
  control: { run(signal: AbortSignal): Promise<void> },
): readonly Job[] {
  return minutes === undefined
    ? []
    : [{ name, scope: 'fleet', everyMs: minutes * 60_000, run: (signal) => control.run(signal) }]
}
