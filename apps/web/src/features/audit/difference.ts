/** One field of a record, as it was and as it became; `undefined` where there was or is nothing. */
export interface FieldChange {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** Returns the changes of a record, field by field, in the order in which it was written. */
export function changesOf({ before, after }: { readonly before: string; readonly after: string }) {
  const [old, next] = [fieldsIn(before), fieldsIn(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return names
    .map((name): FieldChange => ({ name, before: presentValue(old[name]), after: presentValue(next[name]) }))
    .filter((change) => change.before !== undefined || change.after !== undefined)
}

/** The fields of a JSON text; a text that is not an object counts as one value. */
function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
    return { value }
  } catch {
    return { value: text }
  }
}

/** Returns `undefined` for every spelling of an absent value. */
function presentValue(value: unknown): unknown {
  if (value === null || value === '') return undefined
  return Array.isArray(value) && value.length === 0 ? undefined : value
}

/** `maxTokens` and `max_tokens` as `Max tokens`. */
export function humanize(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value as one reads it: lists one item a line, objects as indented JSON, JSON in texts too. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join('\n')
  if (typeof value === 'object' && value !== null) return JSON.stringify(value, undefined, 2)
  if (typeof value === 'string') return indentedJson(value) ?? value
  return String(value)
}

function indentedJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}
