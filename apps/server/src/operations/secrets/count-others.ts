import { prefixOf } from '../../lib/key-ring.ts'
import type { SealedCursor, SealedTextRepository } from '../../store/installation/sealed-texts.ts'
import { isSealContext } from './sealed-place.ts'

const batchRows = 500

/** Counts the sealed texts that are not of this key. */
export async function countOthers(sealedTexts: SealedTextRepository, keyId: string): Promise<number> {
  let count = 0
  let cursor: SealedCursor | undefined
  do {
    const { texts, next } = await sealedTexts.nextWithout(prefixOf(keyId), batchRows, cursor)
    for (const read of texts) {
      const text = await read()
      if (text !== undefined && isSealContext(text.context)) count += 1
    }
    cursor = next
  } while (cursor !== undefined)
  return count
}
