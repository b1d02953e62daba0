import { expect, it } from 'bun:test'
import { logTypes } from '@tollgate/api/roles'
import fc from 'fast-check'
import { type ColumnDimension, dimensions } from '../dimensions.ts'
import { encodeJoint, type JointSums, jointLookOf, sumJoint } from './joint-parts.ts'

const names = Object.keys(dimensions).filter((name): name is ColumnDimension => name !== 'failover')
const few = fc.constantFrom(0, 1, 2, 251, 2 ** 40, 2 ** 52)
/** Any number of a group, so that one part has several values. */
const row = fc.record({
  values: fc.record({
    user: fc.constantFrom(1, 251, 501, 2 ** 33),
    key: few,
    token: few,
    model: fc.constantFrom(3, 19, 35),
    channel: fc.constantFrom(0, 3, 67, 2 ** 40),
    type: fc.constantFrom(logTypes.consumption, logTypes.error, logTypes['top-up']),
    group: few,
  } satisfies Record<ColumnDimension, fc.Arbitrary<number>>),
  quota: fc.oneof(fc.integer({ min: -500, max: 500 }), fc.constantFrom(5_000_000_000)),
  block: fc.integer({ min: 0, max: 31 }),
})
type Row = typeof row extends fc.Arbitrary<infer Made> ? Made : never

const conditions = fc.uniqueArray(fc.constantFrom(...names), { minLength: 2 }).chain((chosen) =>
  fc.tuple(
    ...chosen.map((dimension) =>
      fc.record({
        dimension: fc.constant(dimension),
        values: fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 5, 19, 67, 251, 501, 2 ** 33, 2 ** 40, 2 ** 52), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
    ),
  ),
)
type Conditions = typeof conditions extends fc.Arbitrary<infer Made> ? Made : never

function encoded(rows: readonly Row[]) {
  const valuesOf = (name: ColumnDimension) => Float64Array.from(rows, ({ values }) => values[name])
  return encodeJoint({
    values: Object.fromEntries(names.map((name) => [name, valuesOf(name)])) as Record<
      ColumnDimension,
      Float64Array
    >,
    quota: Float64Array.from(rows, ({ quota }) => quota),
    block: Uint8Array.from(rows, ({ block }) => block),
  })
}

function summed(rows: readonly Row[], sought: Conditions): JointSums {
  const left = rows.filter(({ values }) =>
    sought.every((condition) => condition.values.includes(values[condition.dimension])),
  )
  const hasType = sought.some(({ dimension }) => dimension === 'type')
  return {
    count: left.length,
    charged: left
      .filter(({ values }) => hasType || values.type === logTypes.consumption)
      .reduce((sum, { quota }) => sum + quota, 0),
    mask: left.reduce((mask, { block }) => mask | (1 << block), 0) >>> 0,
  }
}

it('tells what a scan of the rows would of all conditions together, by one part of each value', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), conditions, (rows, sought) => {
      const look = jointLookOf(sought.map(({ dimension, values }) => ({ dimensions: [dimension], values })))
      const alone = sought.some(({ dimension }) => dimension === 'user')
      const isKnown = alone || !sought.some(({ dimension }) => dimension === 'key')
      if (!isKnown) return expect(look).toBeUndefined()
      const parts = encoded(rows)
      const sums = (look?.parts ?? []).map((part) =>
        sumJoint(parts.get(part) ?? new Uint8Array(), look?.accepted ?? []),
      )
      expect({
        count: sums.reduce((sum, { count }) => sum + count, 0),
        charged: sums.reduce((sum, { charged }) => sum + charged, 0),
        mask: sums.reduce((mask, each) => mask | each.mask, 0) >>> 0,
      }).toEqual(summed(rows, sought))
    }),
    { numRuns: 300 },
  )
})

it('has every part, so that a span without them is known to be of a version before', () => {
  expect(encoded([]).size).toBe(568)
  expect([...encoded([]).values()].every((part) => part.length === 0)).toBe(true)
})
