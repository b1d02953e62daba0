import { type Program, query } from '../program.ts'
import { storableText } from '../schema/text.ts'
import { addPosition, countPositions, eachPosition, everyPosition, noPosition } from './bitmap.ts'
import { chunks, idsAt, intersection, type Match, numbersOf, readColumn } from './block.ts'

const offset = 0x811c9dc5
const prime = 0x01000193

/** A request id as a number of 32 bits (FNV-1a). Blocks store it for every row: few rows have the same. */
export function hashRequestId(requestId: string): number {
  let hash = offset
  for (let index = 0; index < requestId.length; index += 1)
    hash = Math.imul(hash ^ requestId.charCodeAt(index), prime)
  return hash >>> 0
}

/** The rows of a request: those with its hash, compared with the rows' complete ids. */
export function* narrowToRequest(matches: readonly Match[], requestId: string): Program<readonly Match[]> {
  const wanted = storableText(requestId)
  const hash = hashRequestId(wanted)
  const found: Match[] = []
  for (const chunk of chunks(matches)) {
    const hashes = yield* readColumn('request', chunk)
    for (const match of chunk) {
      const hashAt = numbersOf(hashes, match.block)
      const alike = noPosition(match.block.count)
      eachPosition(match.bits?.() ?? everyPosition(match.block.count), (position) => {
        if (hashAt(position) === hash) addPosition(alike, position)
      })
      if (countPositions(alike) > 0) found.push(...(yield* ofRequest(match, alike, wanted)))
    }
  }
  return found
}

function* ofRequest(
  match: Match,
  alike: ReturnType<typeof noPosition>,
  requestId: string,
): Program<readonly Match[]> {
  const positions: number[] = []
  eachPosition(alike, (position) => positions.push(position))
  const ids = yield* idsAt(match, positions)
  const { min_at, max_at } = match.block
  const rows = yield* query<{ id: number }>(
    `select id from logs where id in (${ids.map(() => '?').join(', ')}) and created_at between ? and ? and request_id = ?`,
    [...ids, min_at, max_at, requestId],
  )
  const right = new Set(rows.map((row) => row.id))
  const same = noPosition(match.block.count)
  positions.forEach((position, index) => {
    if (right.has(ids[index] ?? 0)) addPosition(same, position)
  })
  return intersection(match, same)
}
