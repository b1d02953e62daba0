import type { AuditAction } from '@tollgate/api'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { ChannelRunControl, RunProgress } from './channel-runner.ts'

const allChannels = { kind: 'channel', name: '' } as const

/** A run that people start and cancel: the audit log records who did. */
export function auditedRun(
  control: ChannelRunControl<Actor>,
  auditLog: AuditLog,
  actions: { readonly start: AuditAction; readonly cancel: AuditAction },
) {
  return {
    /** Throws `Refusal` while a run is under way. */
    async start(actor: Actor): Promise<void> {
      await control.start(actor)
      await auditLog.record(actor, { action: actions.start, target: allChannels })
    },
    async cancel(actor: Actor): Promise<RunProgress> {
      const wasRunning = control.progress.running
      const progress = await control.cancel()
      if (wasRunning) await auditLog.record(actor, { action: actions.cancel, target: allChannels })
      return progress
    },
    get progress(): RunProgress {
      return control.progress
    },
  }
}

export type AuditedRun = ReturnType<typeof auditedRun>
