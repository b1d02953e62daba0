import { type AuditAction, adminPartNames, type Consent, type PartHolder } from '@tollgate/api'
import {
  defaults,
  formatSetting,
  isSecret,
  isSettingKey,
  mayRead,
  mayWrite,
  movesMoney,
  partOf,
  partToWrite,
  type SettingKey,
  type SettingValues,
} from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'
import type { Actor, AuditEvent, AuditLog } from '../records/audit-log/audit-log.ts'
import { requirePart } from '../records/audit-log/require-part.ts'
import { refuseLockout } from './lockout.ts'
import { editedText, type OptionEdit } from './option-edit.ts'
import type {
  ChangesOf,
  CheckedChange,
  MovedGroup,
  OptionChange,
  Settings,
  WrittenChanges,
} from './settings.ts'

/** A requested change: the whole value, or entries of a map; absent for an untouched option. */
export interface RequestedChange extends Omit<OptionEdit, 'key'> {
  readonly key: string
  /** Restores the default, and so removes a secret. */
  readonly clear?: boolean | undefined
}

/** The one record of a change of several options that a person makes as one. */
export interface JointRecord {
  readonly action: Extract<AuditAction, 'model.price'>
  readonly target: AuditEvent['target']
}

interface Dependencies {
  readonly settings: Settings
  readonly auditLog: AuditLog
}

/** Changes of options by administrators: checks the role, and audits them. */
export function createChangeOptions({ settings, auditLog }: Dependencies) {
  /** The one way in: whoever changes an option, and by whichever call, must be allowed to write it. */
  const apply = (
    actor: Actor,
    requested: readonly RequestedChange[] | ChangesOf<RequestedChange>,
    eventsOf: (written: WrittenChanges) => readonly AuditEvent[],
    consent?: Consent,
  ): Promise<void> =>
    settings.change(
      (now) =>
        (typeof requested === 'function' ? requested(now) : requested).flatMap((change) =>
          permittedChange(actor, change, now),
        ),
      async (tx, written) => {
        await refuseLockout(actor, written.options, tx)
        await auditLog.recordAll(actor, [...eventsOf(written), ...written.moved.map(moveAuditEvent)], tx)
      },
      consent,
    )
  const ofOptions =
    (action: AuditAction) =>
    ({ options }: WrittenChanges) =>
      options.flatMap((change) => optionAuditEvent(action, change))

  return {
    /** All of them, with their records in the audit log, or none. A function says what follows from the values in force. */
    change: (
      actor: Actor,
      requested: readonly RequestedChange[] | ChangesOf<RequestedChange>,
      consent?: Consent,
      joint?: JointRecord,
    ): Promise<void> =>
      apply(
        actor,
        requested,
        joint === undefined ? ofOptions('option.update') : ({ options }) => jointAuditEvent(joint, options),
        consent,
      ),
    /** The same with one record, of what the options together are of. */
    changeTogether: (
      actor: Actor,
      requested: ChangesOf<RequestedChange>,
      eventOf: () => AuditEvent,
      consent?: Consent,
    ): Promise<void> => apply(actor, requested, () => [eventOf()], consent),
    /** Restores the model ratios of this version. */
    resetModelRatio: (actor: Actor, consent?: Consent): Promise<void> =>
      apply(
        actor,
        [{ key: 'ModelRatio', value: formatSetting('ModelRatio', defaults.ModelRatio) }],
        ofOptions('option.reset-model-ratio'),
        consent,
      ),
  }
}

export type ChangeOptions = ReturnType<typeof createChangeOptions>

/** `undefined` for an option without a value, since forms of older consoles send fields that they do not show. */
function permittedChange(actor: PartHolder, change: RequestedChange, now: SettingValues): OptionChange[] {
  const { key, clear = false } = change
  if (!isSettingKey(key)) throw new Refusal('option_unknown', { key })
  refuseUnwritable(actor, key, now)
  if (clear) return [clearedChange(key, change)]
  const text = editedText({ ...change, key }, now)
  return text === undefined ? [] : [{ key, text }]
}

function refuseUnwritable(actor: PartHolder, key: SettingKey, values: SettingValues): void {
  if (mayWrite(actor, key, values)) return
  // An administrator with every part writes all but what root has for itself.
  if (!mayWrite({ role: actor.role, parts: adminPartNames }, key, values))
    throw new Refusal('permission_denied')
  if (movesMoney(key) && mayRead(actor, key)) throw new Refusal('option_moves_money', { key })
  requirePart(actor, partToWrite(key))
  requirePart(actor, partOf(key))
}

function clearedChange(key: SettingKey, { value, entries }: RequestedChange): OptionChange {
  if (value || entries !== undefined) throw new Refusal('option_cleared_with_value', { key })
  return { key, text: null }
}

/** Longest text; longer ones are cut, since pages of the audit log show many. */
const maxText = 4000

/**
 * The audit record of a changed option: of a secret only that it changed, of a map the entries that differ, of
 * everything else its text. `undefined` when nothing differs.
 */
export function optionAuditEvent(action: AuditAction, { key, before, after }: CheckedChange): AuditEvent[] {
  const texts = [formatSetting(key, before), formatSetting(key, after)] as const
  if (texts[0] === texts[1]) return []
  const target = { kind: 'option', name: key } as const
  if (isSecret(key)) return [{ action, target, ...secretStates(...texts) }]
  if (isMap(before) && isMap(after)) return [{ action, target, before, after }]
  return [{ action, target, before: { value: cut(texts[0]) }, after: { value: cut(texts[1]) } }]
}

/** The record of entries of several maps that one act changes: by option, the entries that differ. */
function jointAuditEvent(
  joint: JointRecord,
  changes: readonly Pick<CheckedChange, 'key' | 'before' | 'after'>[],
): AuditEvent[] {
  const states = changes.flatMap(({ key, before, after }) => {
    if (!isMap(before) || !isMap(after)) throw new TypeError(`${key} is no map of entries`)
    const names = differing(before, after)
    return names.length === 0
      ? []
      : [{ key, before: entriesOf(before, names), after: entriesOf(after, names) }]
  })
  if (states.length === 0) return []
  const stateOf = (side: 'before' | 'after') =>
    Object.fromEntries(states.map(({ key, [side]: entries }) => [key, entries]))
  return [{ ...joint, before: stateOf('before'), after: stateOf('after') }]
}

function differing(before: object, after: object): readonly string[] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return names.filter((name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)))
}

function entriesOf(map: object, names: readonly string[]) {
  return Object.fromEntries(Object.entries(map).filter(([name]) => names.includes(name)))
}

function moveAuditEvent({ from, to, ...members }: MovedGroup): AuditEvent {
  return { action: 'group.move', target: { kind: 'group', name: from }, after: { group: to, ...members } }
}

function secretStates(before: string, after: string) {
  const isSet = before !== ''
  const outcome = after === '' ? 'not set' : isSet ? 'changed' : 'set'
  return { before: { value: isSet ? 'set' : 'not set' }, after: { value: outcome } }
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function cut(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}… (${text.length} characters in all)`
}
