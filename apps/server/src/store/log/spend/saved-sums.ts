import { type Program, query } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import { VarintReader, VarintWriter } from '../index/spans/varints.ts'
import type { SpendTimes } from './spend-rows.ts'
import { type Figures, figureAt, type UserSums } from './user-sums.ts'

/** Times whose sums are saved: the month of UTC, which nearly all of every reader's month shares, and the default time of the call. */
export const savedSpans = ['month', 'thirty-days'] as const

/** Name of one of them. */
export type SavedSpan = (typeof savedSpans)[number]

/** Sums of all users in the form in which they are stored. */
export interface PackedSums {
  readonly times: SpendTimes
  readonly models: readonly string[]
  readonly corrections: string
  readonly figures: Uint8Array
}

/** Twice a figure is a safe integer. */
const maxPacked = Number.MAX_SAFE_INTEGER / 2

/** Packs sums in a few bytes a figure; `undefined` where corrections are under way, or a figure is beyond what that holds. */
export function packSums({ times, models, corrections, users }: UserSums): PackedSums | undefined {
  if (corrections === undefined) return undefined
  const writer = new VarintWriter()
  let before = 0
  for (const [userId, figures] of [...users].sort(([one], [other]) => one - other)) {
    if (figures.some((figure) => Math.abs(figure) > maxPacked)) return undefined
    writer.add(userId - before)
    before = userId
    for (const figure of figures) writer.add(figure < 0 ? -2 * figure - 1 : 2 * figure)
  }
  return { times, models, corrections, figures: writer.bytes() }
}

function unpackFigures(packed: Uint8Array, columns: number): Map<number, Figures> {
  const users = new Map<number, Figures>()
  const reader = new VarintReader(packed)
  let userId = 0
  while (!reader.isAtEnd) {
    userId += reader.next()
    const figures: Figures = []
    for (let index = 0; index < columns; index += 1) figures.push(signed(reader.next()))
    users.set(userId, figures)
  }
  return users
}

const signed = (packed: number) => (packed % 2 === 1 ? -(packed + 1) / 2 : packed / 2)

interface SavedRow {
  readonly span: string
  readonly from: Seconds
  readonly end: Seconds
  readonly models: string
  readonly corrections: string
}

/** Reads the saved sums that are usable, and of these the ones that differ least by `distance`. */
export function* readSavedSums(
  isUsable: (sums: Pick<UserSums, 'times' | 'models'>) => boolean,
  distance: (times: SpendTimes) => number,
): Program<UserSums | undefined> {
  const rows = yield* query<SavedRow>(
    `select span, from_at as "from", end_at as "end", models, corrections from spend_sums`,
  )
  const [row] = rows
    .map(({ span, from, end, corrections, models }) => {
      return { span, corrections, times: { from, end }, models: JSON.parse(models) as string[] }
    })
    .filter(isUsable)
    .sort((one, other) => distance(one.times) - distance(other.times))
  if (row === undefined) return undefined
  const [saved] = yield* query<{ figures: Uint8Array }>('select figures from spend_sums where span = ?', [
    row.span,
  ])
  const { times, models, corrections } = row
  const users = unpackFigures(saved?.figures ?? new Uint8Array(), figureAt.models + models.length)
  return { times, models, corrections, users }
}
