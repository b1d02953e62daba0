import type { Sessions } from '../users/sessions.ts'
import type { Job } from './scheduler.ts'

const hourMs = 3_600_000

/** Sessions that have ended are refused at once; this only keeps their table small. */
export function sessionJob(sessions: Pick<Sessions, 'deleteExpired'>): Job {
  return { name: 'delete-expired-sessions', everyMs: hourMs, run: () => sessions.deleteExpired() }
}
