import { type CostlyField, noCostlyFields } from '../costs/costly-field.ts'
import { toolFieldsIn } from '../costs/find-costly-fields.ts'
import { isObject, type JsonObject, objectOf, parseJson } from '../json-value.ts'

/** An event of a caller, and the fields in it that change what the vendor charges. */
export interface SessionFields {
  readonly event: JsonObject
  readonly fields: readonly CostlyField[]
}

/** The member of an event that may hold tools. */
const holders: Readonly<Record<string, string>> = {
  'session.update': 'session',
  'response.create': 'response',
}

/** `undefined` for an event that sets no tools, as nearly all of them. */
export function sessionFields(message: string): SessionFields | undefined {
  // Most messages are audio, in which nothing is escaped.
  if (!message.includes('tools"') && !message.includes('\\u')) return undefined
  const event = parseJson(message)
  if (!isObject(event) || typeof event.type !== 'string' || !Object.hasOwn(holders, event.type))
    return undefined
  const holder = holders[event.type] ?? ''
  const { tools, tool_choice: choice } = objectOf(event[holder])
  const fields = tools === undefined ? noCostlyFields : toolFieldsIn(tools, [holder, 'tools'], choice)
  return fields.length === 0 ? undefined : { event, fields }
}
