import type { TestAllChannels } from '../channels/testing/test-all-channels.ts'
import { createProbeChannels, type ProbeDependencies } from './probe-channels.ts'
import type { Job } from './scheduler.ts'

export interface ChannelJobsDependencies extends Omit<ProbeDependencies, 'firstPauseMs'> {
  readonly testAll: TestAllChannels
  readonly probeSeconds: number
  /** Minutes between tests of all channels; `undefined` means never. */
  readonly testMinutes: number | undefined
}

/** How often due probes are looked for: often enough that a pause of seconds means seconds. */
const longestLookMs = 15_000

/** What is done about channels in the background. */
export function channelJobs(deps: ChannelJobsDependencies): readonly Job[] {
  const firstPauseMs = deps.probeSeconds * 1000
  const probe: Job = {
    name: 'probe-channels',
    everyMs: Math.min(firstPauseMs, longestLookMs),
    run: createProbeChannels({ ...deps, firstPauseMs }),
  }
  if (deps.testMinutes === undefined) return [probe]
  return [probe, { name: 'test-all-channels', everyMs: deps.testMinutes * 60_000, run: deps.testAll.run }]
}
