import type { Rotation } from '../secrets/rotation.ts'
import type { Job } from './scheduler.ts'

const everyMs = 2000

/** Seals secrets anew after a change of the master key, and after an upgrade; costs nothing once that is done. */
export function secretJobs({ refresh, run }: Rotation): readonly Job[] {
  return [
    { name: 'follow-secret', scope: 'node', everyMs, run: refresh },
    { name: 'reseal-secrets', scope: 'fleet', everyMs, run },
  ]
}
