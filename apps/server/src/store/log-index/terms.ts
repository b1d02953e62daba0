import { type Program, query } from '../program.ts'
import { dimensions, type TextDimension } from './dimensions.ts'

/** Bounds the parameters of one statement. */
const textsPerStatement = 200

/** Ids of texts, which stand for them in postings. Texts that have none get one. */
export function* termIds(
  dimension: TextDimension,
  texts: ReadonlySet<string>,
): Program<ReadonlyMap<string, number>> {
  const distinct = [...texts]
  const ids = new Map<string, number>()
  for (let start = 0; start < distinct.length; start += textsPerStatement) {
    const chunk = distinct.slice(start, start + textsPerStatement)
    addAll(ids, yield* findTerms(dimension, chunk))
    const unknown = chunk.filter((text) => !ids.has(text))
    if (unknown.length > 0) addAll(ids, yield* addTerms(dimension, unknown))
  }
  return ids
}

interface Term {
  readonly id: number
  readonly text: string
}

function findTerms(dimension: TextDimension, texts: readonly string[]): Program<readonly Term[]> {
  const places = texts.map(() => '?').join(', ')
  return query<Term>(
    `select id, text from log_terms where dimension = ${dimensions[dimension]} and text in (${places})`,
    texts,
  )
}

function addTerms(dimension: TextDimension, texts: readonly string[]): Program<readonly Term[]> {
  const places = texts.map(() => `(${dimensions[dimension]}, ?)`).join(', ')
  return query<Term>(`insert into log_terms (dimension, text) values ${places} returning id, text`, texts)
}

function addAll(ids: Map<string, number>, terms: readonly Term[]): void {
  for (const { id, text } of terms) ids.set(text, id)
}
