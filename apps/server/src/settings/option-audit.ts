import type { AuditAction } from '@tollgate/api'
import { formatSetting, isSecret } from '@tollgate/api/settings'
import type { AuditEvent } from '../audit-log/audit-log.ts'
import type { CheckedChange } from './settings.ts'

/** Longest text; longer ones are cut, since pages of the audit log show many. */
const longestText = 4000

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

function secretStates(before: string, after: string) {
  const isSet = before !== ''
  const outcome = after === '' ? 'not set' : isSet ? 'changed' : 'set'
  return { before: { value: isSet ? 'set' : 'not set' }, after: { value: outcome } }
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function cut(text: string): string {
  return text.length <= longestText
    ? text
    : `${text.slice(0, longestText)}… (${text.length} characters in all)`
}
