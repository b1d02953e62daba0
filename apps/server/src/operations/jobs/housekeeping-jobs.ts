/** Jobs of one step each: half-done work goes on, and what is over is deleted. */
import { type Clock, unixSeconds } from '@tollgate/base'
import type { KeyAddresses } from '../../accounts/tokens/key-addresses.ts'
import type { ConsoleViews } from '../../accounts/users/manage/console-views.ts'
import type { Corrections } from '../../billing/corrections/corrections.ts'
import type { FailedCalls } from '../../gateway/failed-calls/failed-calls.ts'
import type { StoredResponseRepository } from '../../store/work/stored-responses.ts'
import type { IncidentWatch } from '../incidents/watch-incidents.ts'
import type { Rotation } from '../secrets/rotation.ts'
import type { Job } from './scheduler.ts'

const twoSecondsMs = 2000
const halfMinuteMs = 30_000
const minuteMs = 60_000
const fiveMinutesMs = 300_000
const hourMs = 3_600_000

/** Seals secrets anew after a change of the master key, and after an upgrade; costs nothing once that is done. */
export function secretJobs({ refresh, run }: Rotation): readonly Job[] {
  return [
    { name: 'follow-secret', scope: 'node', everyMs: twoSecondsMs, run: refresh },
    { name: 'reseal-secrets', scope: 'fleet', everyMs: twoSecondsMs, run },
  ]
}

/** Writes from which addresses keys were used at this node. */
export function keyAddressJob({ write }: Pick<KeyAddresses, 'write'>): Job {
  return { name: 'write-key-addresses', scope: 'node', everyMs: halfMinuteMs, run: write }
}

/** Records the end of views that nobody ended. */
export function consoleViewJob({ endOver }: Pick<ConsoleViews, 'endOver'>): Job {
  return { name: 'end-console-views', scope: 'fleet', everyMs: minuteMs, run: endOver }
}

/** Saves sums for the first *Spend* of nodes that start. */
export function spendJob(save: () => Promise<void>): Job {
  return { name: 'save-spend', scope: 'fleet', everyMs: hourMs, run: save }
}

/** Goes on with corrections that a crash has left half done. */
export function correctionJob(corrections: Pick<Corrections, 'resume'>): Job {
  return { name: 'finish-corrections', scope: 'fleet', everyMs: minuteMs, run: () => corrections.resume() }
}

/** Looks for causes of problems while nobody reads the list. */
export function incidentJob(watch: Pick<IncidentWatch, 'look'>): Job {
  return { name: 'watch-incidents', scope: 'fleet', everyMs: halfMinuteMs, run: () => watch.look() }
}

/** Deletes requests of failed calls that nobody may read any more. */
export function failedCallJob(failedCalls: Pick<FailedCalls, 'sweep'>): Job {
  return {
    name: 'delete-failed-calls',
    scope: 'fleet',
    everyMs: fiveMinutesMs,
    run: () => failedCalls.sweep(),
  }
}

/** Other writers get a turn between two batches. */
const batchSize = 100

interface StoredResponses {
  readonly repository: Pick<StoredResponseRepository, 'deleteExpired'>
  readonly clock: Clock
}

/** Deletes expired responses; reads already ignore them. */
export function storedResponseJob({ repository, clock }: StoredResponses): Job {
  return {
    name: 'delete-stored-responses',
    scope: 'fleet',
    everyMs: fiveMinutesMs,
    async run() {
      const now = unixSeconds(clock)
      while ((await repository.deleteExpired(now, batchSize)) === batchSize) await Bun.sleep(20)
    },
  }
}
