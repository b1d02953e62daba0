import type { Program } from '../../program.ts'
import { storableText } from '../../schema/text.ts'
import { addPosition, noPosition } from './bitmap.ts'
import { chunks, intersection, type Match, numbersOf, positionsOf, readColumn } from './block.ts'
import type { LogFilter } from './log-row.ts'
import { narrowByRows } from './narrow-by-rows.ts'

const offset = 0x811c9dc5
const prime = 0x01000193

/** A request id as a number of 32 bits (FNV-1a). Blocks store it for every row: few rows have the same. */
export function hashRequestId(requestId: string): number {
  let hash = offset
  for (let index = 0; index < requestId.length; index += 1)
    hash = Math.imul(hash ^ requestId.charCodeAt(index), prime)
  return hash >>> 0
}

/** The rows of a request: those with its hash, compared with the complete filter. */
export function* narrowToRequest(
  matches: readonly Match[],
  filter: LogFilter,
  requestId: string,
): Program<readonly Match[]> {
  const hash = hashRequestId(storableText(requestId))
  const alike: Match[] = []
  for (const chunk of chunks(matches)) {
    const hashes = yield* readColumn('request', chunk)
    for (const match of chunk) {
      const hashAt = numbersOf(hashes, match.block)
      const same = noPosition(match.block.count)
      for (const position of positionsOf(match)) if (hashAt(position) === hash) addPosition(same, position)
      alike.push(...intersection(match, same))
    }
  }
  return yield* narrowByRows(alike, filter)
}
