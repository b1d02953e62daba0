import type { AuditAction } from '@tollgate/api'
import type { Actor, AuditLog } from '../../audit-log/audit-log.ts'
import type { ChannelRunControl, RunProgress } from './channel-runner.ts'

/** A run as people start and cancel it: who did is written down. */
export interface AuditedRun {
  /** Throws `Refusal` while one is under way. */
  start(actor: Actor): Promise<void>
  cancel(actor: Actor): Promise<RunProgress>
  readonly progress: RunProgress
}

const allChannels = { kind: 'channel', name: '' } as const

export function auditedRun(
  control: ChannelRunControl<Actor>,
  auditLog: AuditLog,
  actions: { readonly start: AuditAction; readonly cancel: AuditAction },
): AuditedRun {
  return {
    async start(actor) {
      control.start(actor)
      await auditLog.record(actor, { action: actions.start, target: allChannels })
    },
    async cancel(actor) {
      const wasRunning = control.progress.running
      const progress = await control.cancel()
      if (wasRunning) await auditLog.record(actor, { action: actions.cancel, target: allChannels })
      return progress
    },
    get progress() {
      return control.progress
    },
  }
}
