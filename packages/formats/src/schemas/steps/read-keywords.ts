import { type JsonObject, textOf } from '../../json/value.ts'
import type { Fitting } from '../fitting.ts'
import { annotations, without } from '../keywords.ts'
import { isRead, type Step } from './step.ts'

const silent: ReadonlySet<string> = new Set(['$schema', '$comment'])
const bounds: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])

/** Leaves out the keywords that are not read, and says which. */
export const readKeywords: Step = (schema, at, fitting) => {
  const unread = Object.keys(schema).filter((key) => !isTaken(key, schema, fitting))
  if (unread.length === 0) return schema
  for (const key of unread) if (!silent.has(key)) loseKeyword(key, at, fitting)
  const own = without(schema, unread)
  const reported = fitting.dialect.bounds === 'described' ? unread.filter((key) => bounds.has(key)) : []
  if (reported.length === 0) return own
  const words = `{${reported.map((key) => `${key}: ${JSON.stringify(schema[key])}`).join(', ')}}`
  return {
    ...own,
    description: [schema.description, words].filter((line) => typeof line === 'string').join('\n'),
  }
}

/** Loses a keyword: a guarantee without it would be one of another schema, unless words can express it. */
function loseKeyword(key: string, at: string, fitting: Fitting): void {
  if (annotations.has(key) || (bounds.has(key) && fitting.dialect.bounds === 'described'))
    fitting.lose(key, at)
  else fitting.refuseOrLose(key, at, 'the keyword cannot be said')
}

function isTaken(key: string, schema: JsonObject, fitting: Fitting): boolean {
  const { formats } = fitting.dialect
  if (key === 'format' && formats !== undefined) return formats.has(textOf(schema.format))
  // One item at least is the only bound of lists that such a target takes.
  if (key === 'minItems' && fitting.dialect.bounds === 'described')
    return schema.minItems === 0 || schema.minItems === 1
  return isRead(key, fitting)
}
