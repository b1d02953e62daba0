import type { LogClearing } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Actor, AuditLog } from '../audit-log/audit-log.ts'
import { Refusal } from '../lib/refusal.ts'
import type { UsageRepository } from '../store/repositories/usage.ts'

interface Dependencies {
  readonly usage: Pick<UsageRepository, 'clearBefore'>
  readonly auditLog: AuditLog
  readonly clock: Clock
}

/** Deletes old rows of the usage log, one clearing at a time. */
export interface LogClearer {
  /**
   * Resolves with the number of deleted rows when none are left, or when it was cancelled. Continues after its caller has
   * disconnected.
   */
  clear(actor: Actor, before: number | undefined): Promise<number>
  progress(): LogClearing
  cancel(actor: Actor): Promise<LogClearing>
}

const none: LogClearing = {
  running: false,
  target_timestamp: 0,
  deleted: 0,
  started_at: 0,
  ended_at: 0,
  cancelled: false,
  failed: false,
}

export function createLogClearer({ usage, auditLog, clock }: Dependencies): LogClearer {
  let state = none
  let running: AbortController | undefined

  const record = (actor: Actor, after: object) =>
    auditLog.record(actor, { action: 'log.clear', target: { kind: 'log', name: 'usage log' }, after })

  async function run(before: number, signal: AbortSignal): Promise<number> {
    const now = () => unixSeconds(clock)
    state = { ...none, running: true, target_timestamp: before, started_at: now() }
    try {
      const onProgress = (deleted: number) => {
        state = { ...state, deleted }
      }
      const deleted = await usage.clearBefore(before, onProgress, signal)
      state = { ...state, deleted }
      return deleted
    } catch (error) {
      state = { ...state, failed: true }
      throw error
    } finally {
      state = { ...state, running: false, ended_at: now(), cancelled: signal.aborted }
    }
  }

  /** Audits the clearing before it deletes anything, and again with its result: a crash must not hide who started it. */
  async function recorded(actor: Actor, before: number, signal: AbortSignal): Promise<number> {
    await record(actor, { target_timestamp: before })
    try {
      return await run(before, signal)
    } finally {
      const { deleted, cancelled, failed } = state
      await record(actor, { target_timestamp: before, deleted, cancelled, failed })
    }
  }

  return {
    async clear(actor, before) {
      if (!before) throw new Refusal('log_clear_time_required')
      if (before < 0 || before > unixSeconds(clock)) throw new Refusal('log_clear_time_invalid')
      if (running !== undefined) throw new Refusal('log_clear_running', { deleted: state.deleted })
      running = new AbortController()
      try {
        return await recorded(actor, before, running.signal)
      } finally {
        running = undefined
      }
    },
    progress: () => state,
    async cancel(actor) {
      if (running === undefined) throw new Refusal('log_clear_not_running')
      running.abort()
      state = { ...state, cancelled: true }
      await record(actor, { target_timestamp: state.target_timestamp, cancelled: true })
      return state
    },
  }
}
