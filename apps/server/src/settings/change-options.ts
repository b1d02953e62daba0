import type { AuditAction, Role } from '@tollgate/api'
import { defaults, formatSetting, isSettingKey, mayWrite, type SettingKey } from '@tollgate/api/settings'
import type { Actor, AuditLog } from '../audit-log/audit-log.ts'
import { Refusal } from '../lib/refusal.ts'
import { optionAuditEvent } from './option-audit.ts'
import type { OptionChange, Settings } from './settings.ts'

/** A change as somebody asked for it. */
export interface AskedChange {
  readonly key: string
  /** Absent for an option that nobody touched. */
  readonly value?: string | undefined
  /** Puts the default back, and so removes a secret. */
  readonly clear?: boolean | undefined
}

/** Options as administrators change them: by role, and written down. */
export interface ChangeOptions {
  /** All of them, with their records in the audit log, or none. */
  change(actor: Actor, requested: readonly AskedChange[]): Promise<void>
  /** Puts the model ratios of this version back. */
  resetModelRatio(actor: Actor): Promise<void>
}

interface Dependencies {
  readonly settings: Settings
  readonly auditLog: AuditLog
}

export function createChangeOptions({ settings, auditLog }: Dependencies): ChangeOptions {
  const apply = (actor: Actor, action: AuditAction, changes: readonly OptionChange[]) =>
    settings.change(changes, (tx, checked) =>
      auditLog.recordAll(
        actor,
        checked.flatMap((change) => optionAuditEvent(action, change)),
        tx,
      ),
    )

  return {
    change: async (actor, requested) =>
      apply(
        actor,
        'option.update',
        requested.flatMap((change) => permittedChange(actor.role, change)),
      ),
    resetModelRatio: (actor) =>
      apply(actor, 'option.reset-model-ratio', [
        { key: 'ModelRatio', text: formatSetting('ModelRatio', defaults.ModelRatio) },
      ]),
  }
}

/** None for an option that comes without a value, as forms of older consoles send what they do not show. */
function permittedChange(role: Role, { key, value, clear = false }: AskedChange): OptionChange[] {
  if (!isSettingKey(key)) throw new Refusal('option_unknown', { key })
  if (!mayWrite(role, key)) throw new Refusal('permission_denied')
  if (clear) return [clearedChange(key, value)]
  return value === undefined ? [] : [{ key, text: value }]
}

function clearedChange(key: SettingKey, value: string | undefined): OptionChange {
  if (value) throw new Refusal('option_cleared_with_value', { key })
  return { key, text: null }
}
