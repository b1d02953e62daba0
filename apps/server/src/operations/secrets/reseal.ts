import type { KeyRing, SealContext } from '../../lib/key-ring.ts'
import type { SealedCursor, SealedText } from '../../store/installation/sealed-texts.ts'
import type { Store } from '../../store/store.ts'

interface Dependencies {
  readonly store: Pick<Store, 'transaction'>
  readonly ring: Pick<KeyRing, 'seal' | 'open' | 'prefix'>
  /** Decides whether a text of a column that also holds plain ones is sealed. */
  readonly isSealed: (context: SealContext) => boolean
  /** A text was sealed anew: a holder of the former one in memory reads it again. */
  readonly resealed: (context: SealContext) => void
}

export interface ResealResult {
  readonly resealed: number
  /** Texts that no key opens; they stay as they are. */
  readonly unreadable: number
}

/** Rows that one transaction looks at, and a pause after it, in which calls have the database. */
const batchRows = 100
const pauseMs = 10

/**
 * Seals with the active key whatever another key sealed, or was sealed in the first form. Small transactions: a text that
 * changes meanwhile stays as it was written, so a second pass finds it.
 */
export async function resealAll(deps: Dependencies, signal?: AbortSignal): Promise<ResealResult> {
  let resealed = 0
  let unreadable = 0
  let cursor: SealedCursor | undefined
  do {
    const batch = await resealBatch(deps, cursor)
    for (const context of batch.resealed) deps.resealed(context)
    resealed += batch.resealed.length
    unreadable += batch.unreadable
    cursor = batch.next
    await Bun.sleep(pauseMs)
  } while (cursor !== undefined && !signal?.aborted)
  return { resealed, unreadable }
}

function resealBatch(deps: Dependencies, cursor: SealedCursor | undefined) {
  return deps.store.transaction(async (tx) => {
    const { texts, next } = await tx.sealedTexts.nextWithout(deps.ring.prefix, batchRows, cursor)
    const resealed: SealContext[] = []
    let unreadable = 0
    for (const read of texts) {
      const text = await read()
      if (text === undefined || text.sealed === '' || !deps.isSealed(text.context)) continue
      const open = opened(text, deps)
      if (open === undefined) unreadable += 1
      // False when another process wrote a text meanwhile: the next pass looks at it.
      else if (await text.replace(deps.ring.seal(open, text.context))) resealed.push(text.context)
    }
    return { resealed, unreadable, next }
  })
}

function opened({ sealed, context }: SealedText, { ring }: Dependencies): string | undefined {
  try {
    return ring.open(sealed, context)
  } catch {
    return undefined
  }
}
