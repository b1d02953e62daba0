import { logTypes } from '@tollgate/api/roles'
import { getOrInsert } from '@tollgate/base'
import type { Dimension } from '../dimensions.ts'
import type { PostingCondition } from '../filter.ts'
import { columnOf, type JointColumn, joined } from './joint-columns.ts'
import { type JointFamily, jointFamilies, jointPart } from './span-parts.ts'
import type { BlockMask } from './spans.ts'
import { VarintReader, VarintWriter } from './varints.ts'

/** Dimensions of a combination, in the order of its values. Never change: combinations are stored. */
const order = ['user', 'key', 'token', 'channel', 'model', 'type', 'group'] as const satisfies Dimension[]

/** A family has the dimensions from its own on: by user all of them, by model only the last three. */
const dimensionsOf = (family: JointFamily) => order.slice(order.indexOf(family))

/** Sums of a span's rows that meet several conditions. */
export interface JointSums {
  readonly count: number
  /** Quota of those rows of the types of the filter, or of consumption. */
  readonly charged: number
  readonly mask: BlockMask
}

/** Parts in which several conditions are looked up together. */
export interface JointLook {
  readonly parts: readonly number[]
  /** Values that are accepted, by dimension of a combination. */
  readonly accepted: readonly (ReadonlySet<number> | undefined)[]
}

/** Returns `undefined` where no family has all the dimensions of the conditions. */
export function jointLookOf(conditions: readonly PostingCondition[]): JointLook | undefined {
  const values = new Map(conditions.map((condition) => [condition.dimension, new Set(condition.values)]))
  const family = jointFamilies.findLast((each) =>
    conditions.every(({ dimension }) => dimensionsOf(each).some((known) => known === dimension)),
  )
  const own = family === undefined ? undefined : values.get(family)
  // Without a value of its own dimension, all parts of a family are read: there are few by model.
  if (family === undefined || (own === undefined && family !== 'model')) return undefined
  return {
    parts:
      own === undefined ? partsOf(family) : [...new Set([...own].map((value) => jointPart(family, value)))],
    accepted: dimensionsOf(family).map((dimension) => values.get(dimension)),
  }
}

/** The values of every row of some blocks, and what follows from its block. */
export interface JointRows {
  readonly values: Readonly<Record<Dimension, Float64Array>>
  readonly quota: Float64Array
  /** The place of its block in the span. */
  readonly block: Uint8Array
}

/** Encodes each part, by its number. Empty ones too: a span without them is of a version that knew none. */
export function encodeJoint({ values, quota, block }: JointRows): ReadonlyMap<number, Uint8Array> {
  const parts = new Map<number, Uint8Array>()
  let column: JointColumn | undefined
  for (const dimension of order.toReversed()) {
    const alone = columnOf(values[dimension])
    column = column === undefined ? alone : joined(alone, column)
    const family = jointFamilies.find((each) => each === dimension)
    if (family !== undefined)
      for (const [part, data] of encodeFamily(family, column, { quota, block })) parts.set(part, data)
  }
  return parts
}

interface Entry extends JointSums {
  readonly values: readonly number[]
}

function encodeFamily(
  family: JointFamily,
  column: JointColumn,
  rows: Pick<JointRows, 'quota' | 'block'>,
): ReadonlyMap<number, Uint8Array> {
  const byPart = new Map<number, Entry[]>(partsOf(family).map((part) => [part, []]))
  for (const entry of entriesOf(column, rows))
    getOrInsert(byPart, jointPart(family, entry.values[0] ?? 0), () => []).push(entry)
  return new Map(Array.from(byPart, ([part, entries]) => [part, encodeEntries(entries)]))
}

function partsOf(family: JointFamily): number[] {
  const first = jointPart(family, 0)
  const parts = [first]
  for (let value = 1; jointPart(family, value) !== first; value += 1) parts.push(jointPart(family, value))
  return parts
}

function entriesOf(
  { ofRow, combinations }: JointColumn,
  { quota, block }: Pick<JointRows, 'quota' | 'block'>,
): Entry[] {
  const entries = combinations.map((values) => ({ values, count: 0, charged: 0, mask: 0 }))
  for (let row = 0; row < ofRow.length; row += 1) {
    const entry = entries[ofRow[row] ?? 0]
    if (entry === undefined) continue
    entry.count += 1
    entry.charged += quota[row] ?? 0
    entry.mask = (entry.mask | (1 << (block[row] ?? 0))) >>> 0
  }
  return entries
}

/** The first value of each as its distance from the one before; a sum below zero by the lowest bit of the count. */
function encodeEntries(entries: readonly Entry[]): Uint8Array {
  const writer = new VarintWriter()
  let former = 0
  for (const { values, count, charged, mask } of entries.toSorted(byFirstValue)) {
    const [first = 0, ...others] = values
    writer.add(first - former)
    former = first
    for (const value of others) writer.add(value)
    writer.add(count * 2 + (charged < 0 ? 1 : 0))
    writer.add(Math.abs(charged))
    writer.add(mask)
  }
  return writer.bytes()
}

function byFirstValue({ values: [one = 0] }: Entry, { values: [other = 0] }: Entry): number {
  return one - other
}

/** Sums up the entries of a part that have accepted values. */
export function sumJoint(part: Uint8Array, accepted: JointLook['accepted']): JointSums {
  const reader = new VarintReader(part)
  const typeAt = accepted.length - 2
  const values = accepted.map(() => 0)
  const sum = { count: 0, charged: 0, mask: 0 }
  while (!reader.isAtEnd) {
    readValues(reader, values)
    const [count, amount, mask] = [reader.next(), reader.next(), reader.next()]
    if (!areAccepted(values, accepted)) continue
    sum.count += Math.floor(count / 2)
    sum.mask = (sum.mask | mask) >>> 0
    if (accepted[typeAt] !== undefined || values[typeAt] === logTypes.consumption)
      sum.charged += count % 2 === 0 ? amount : -amount
  }
  return sum
}

/** @param values of the entry before, which these take the place of */
function readValues(reader: VarintReader, values: number[]): void {
  values[0] = (values[0] ?? 0) + reader.next()
  for (let index = 1; index < values.length; index += 1) values[index] = reader.next()
}

function areAccepted(values: readonly number[], accepted: JointLook['accepted']): boolean {
  for (let index = 0; index < values.length; index += 1)
    if (accepted[index]?.has(values[index] ?? 0) === false) return false
  return true
}
