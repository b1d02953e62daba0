import { type Call, listsBesideTexts, resourceOf } from '@tollgate/api'
import { z } from 'zod'
import { Refusal } from '../../../lib/refusal.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * A body whose lists stand in the comma lists that the call reads. A list beside its text is a form's own and says the same.
 * @throws Refusal for a list that says something else than the text beside it
 */
export function withTextsOfLists({ path }: Call, schema: z.ZodType, body: unknown): unknown {
  const texts = listsBesideTexts[resourceOf(path)]
  if (texts === undefined || !isFields(body)) return body
  return Object.entries(texts).reduce(
    (fields, [list, text]) => (knows(schema, list) ? fields : withText(fields, list, text)),
    body,
  )
}

function withText(body: Fields, list: string, text: string): Fields {
  const { [list]: items, ...others } = body
  if (!isTexts(items)) return body
  if (items.length === 0) return others
  const joined = items.join(',')
  const sent = others[text] ?? joined
  if (sent !== joined && namesIn(sent) !== namesIn(joined))
    throw new Refusal('field_written_elsewhere', { field: list, to: text })
  return { ...others, [text]: sent }
}

function namesIn(text: unknown): string {
  return String(text)
    .split(',')
    .map((name) => name.trim())
    .toSorted()
    .join()
}

function knows(schema: z.ZodType, name: string): boolean {
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
