import { logTypes } from '@tollgate/api/roles'
import type { Dimension } from '../dimensions.ts'
import type { PostingCondition } from '../filter.ts'
import { type JointColumn, joined } from './joint-columns.ts'
import { type JointFamily, jointFamilies, jointPart } from './span-parts.ts'
import type { BlockMask } from './spans.ts'
import { VarintReader, VarintWriter } from './varints.ts'

/** Dimensions of a combination, in the order of its values. Never change: combinations are stored. */
const order = ['user', 'key', 'token', 'channel', 'model', 'type', 'group'] as const satisfies Dimension[]
type JointDimension = (typeof order)[number]

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

/** Returns `undefined` where no family has all the dimensions of the conditions: what else a call tried is in none. */
export function jointLookOf(conditions: readonly PostingCondition[]): JointLook | undefined {
  const values = acceptedValues(conditions)
  const family =
    values &&
    jointFamilies.findLast((each) =>
      [...values.keys()].every((dimension) => dimensionsOf(each).some((known) => known === dimension)),
    )
  if (values === undefined || family === undefined) return undefined
  const own = values.get(family)
  // Without a value of its own dimension, all parts of a family are read: there are few by model.
  if (own === undefined && family !== 'model') return undefined
  return {
    parts:
      own === undefined ? partsOf(family) : [...new Set([...own].map((value) => jointPart(family, value)))],
    accepted: dimensionsOf(family).map((dimension) => values.get(dimension)),
  }
}

/**
 * Returns the accepted values by dimension; `undefined` where a condition may hold in another one too, or in one that no combination
 * has.
 */
function acceptedValues(
  conditions: readonly PostingCondition[],
): ReadonlyMap<JointDimension, ReadonlySet<number>> | undefined {
  const values = new Map<JointDimension, ReadonlySet<number>>()
  for (const condition of conditions) {
    const dimension = order.find((known) => known === condition.dimensions[0])
    if (dimension === undefined || condition.dimensions.length > 1) return undefined
    values.set(dimension, new Set(condition.values))
  }
  return values
}

/** The values of every row of some blocks, and what follows from its block. */
export interface JointRows {
  readonly values: Readonly<Record<JointDimension, Float64Array>>
  readonly quota: Float64Array
  /** The place of its block in the span. */
  readonly block: Uint8Array
}

/** Encodes each part, by its number. Empty ones too: a span without them is of a version that knew none. */
export function encodeJoint({ values, quota, block }: JointRows): ReadonlyMap<number, Uint8Array> {
  const parts = new Map<number, Uint8Array>()
  let column: JointColumn | undefined
  for (const dimension of order.toReversed()) {
    column = joined(values[dimension], column)
    const family = jointFamilies.find((each) => each === dimension)
    if (family !== undefined)
      for (const [part, data] of encodeFamily(family, column, sumsOf(column, { quota, block })))
        parts.set(part, data)
  }
  return parts
}

function partsOf(family: JointFamily): number[] {
  const first = jointPart(family, 0)
  const parts = [first]
  for (let value = 1; jointPart(family, value) !== first; value += 1) parts.push(jointPart(family, value))
  return parts
}

/** Sums by the number of a combination. */
interface ColumnSums {
  readonly counts: Uint32Array
  readonly charged: Float64Array
  readonly masks: Uint32Array
}

function sumsOf(
  { ofRow, values }: JointColumn,
  { quota, block }: Pick<JointRows, 'quota' | 'block'>,
): ColumnSums {
  const counts = new Uint32Array(values.length)
  const charged = new Float64Array(values.length)
  const masks = new Uint32Array(values.length)
  for (let row = 0; row < ofRow.length; row += 1) {
    const number = ofRow[row] ?? 0
    counts[number] = (counts[number] ?? 0) + 1
    charged[number] = (charged[number] ?? 0) + (quota[row] ?? 0)
    masks[number] = (masks[number] ?? 0) | (1 << (block[row] ?? 0))
  }
  return { counts, charged, masks }
}

/** Writes the first value of each as its distance from the one before, and a sum below zero by the lowest bit of the count. */
function encodeFamily(
  family: JointFamily,
  column: JointColumn,
  { counts, charged, masks }: ColumnSums,
): Map<number, Uint8Array> {
  const writers = new Map(partsOf(family).map((part) => [part, { bytes: new VarintWriter(), former: 0 }]))
  for (const number of inOrder(column.values)) {
    const value = column.values[number] ?? 0
    const writer = writers.get(jointPart(family, value))
    if (writer === undefined) continue
    writer.bytes.add(value - writer.former)
    writer.former = value
    addRest(writer.bytes, column, number)
    const amount = charged[number] ?? 0
    writer.bytes.add((counts[number] ?? 0) * 2 + (amount < 0 ? 1 : 0))
    writer.bytes.add(Math.abs(amount))
    writer.bytes.add(masks[number] ?? 0)
  }
  return new Map(Array.from(writers, ([part, { bytes }]) => [part, bytes.bytes()]))
}

/** Numbers of combinations by their first value: both as one number, which sorts ten times as fast as pairs do. */
function inOrder(values: Float64Array): Float64Array {
  const length = values.length
  const numbers = new Float64Array(length)
  let isExact = true
  for (let number = 0; number < length; number += 1) {
    const both = (values[number] ?? 0) * length + number
    numbers[number] = both
    isExact &&= both <= Number.MAX_SAFE_INTEGER
  }
  if (!isExact) return numbers.map((_, number) => number).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  numbers.sort()
  for (let at = 0; at < length; at += 1) numbers[at] = (numbers[at] ?? 0) % length
  return numbers
}

function addRest(writer: VarintWriter, column: JointColumn, number: number): void {
  let [at, { rest }] = [number, column]
  while (rest !== undefined) {
    at = rest.of[at] ?? 0
    writer.add(rest.column.values[at] ?? 0)
    rest = rest.column.rest
  }
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
