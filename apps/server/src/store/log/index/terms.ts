import { type Program, query } from '../../program.ts'
import { dimensions, type TextDimension } from './dimensions.ts'

/** Bounds the parameters of one statement. */
const textsPerStatement = 200

/** Cached texts of one dimension. */
const defaultLimit = 20_000

/** Ids of texts that were found in the database, where they are permanent. */
export class TermCache {
  readonly #limit: number
  readonly #ids: Record<TextDimension, Map<string, number>> = {
    token: new Map(),
    model: new Map(),
    group: new Map(),
  }

  constructor(limit = defaultLimit) {
    this.#limit = limit
  }

  get(dimension: TextDimension, text: string): number | undefined {
    return this.#ids[dimension].get(text)
  }

  set(dimension: TextDimension, text: string, id: number): void {
    const ids = this.#ids[dimension]
    // A text that recurs is read again, once.
    if (ids.size >= this.#limit) ids.clear()
    ids.set(text, id)
  }

  forget(dimension: TextDimension, text: string): void {
    this.#ids[dimension].delete(text)
  }
}

/**
 * Ids of distinct texts, which replace them in postings, in their order. Texts without an id get one.
 * @param memory consulted first
 */
export function* termIds(
  dimension: TextDimension,
  texts: readonly string[],
  memory: TermCache,
): Program<readonly number[]> {
  const ids = new Map<string, number>()
  const wanted: string[] = []
  for (const text of texts) {
    const id = memory.get(dimension, text)
    if (id === undefined) wanted.push(text)
    else ids.set(text, id)
  }
  for (let start = 0; start < wanted.length; start += textsPerStatement) {
    const chunk = wanted.slice(start, start + textsPerStatement)
    for (const { id, text } of yield* findTerms(dimension, chunk)) {
      ids.set(text, id)
      memory.set(dimension, text, id)
    }
    const unknown = chunk.filter((text) => !ids.has(text))
    if (unknown.length === 0) continue
    // Not cached: the transaction that adds them may still roll back.
    for (const { id, text } of yield* addTerms(dimension, unknown)) ids.set(text, id)
  }
  return texts.map((text) => ids.get(text) ?? 0)
}

interface Term {
  readonly id: number
  readonly text: string
}

function findTerms(dimension: TextDimension, texts: readonly string[]): Program<readonly Term[]> {
  const positions = texts.map(() => '?').join(', ')
  return query<Term>(
    `select id, text from log_terms where dimension = ${dimensions[dimension]} and text in (${positions})`,
    texts,
  )
}

function addTerms(dimension: TextDimension, texts: readonly string[]): Program<readonly Term[]> {
  const positions = texts.map(() => `(${dimensions[dimension]}, ?)`).join(', ')
  return query<Term>(`insert into log_terms (dimension, text) values ${positions} returning id, text`, texts)
}
