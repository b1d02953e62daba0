import { expect, it } from 'bun:test'
import fc from 'fast-check'
import { runProgram } from '../../program.ts'
import { packSums, readSavedSums } from './saved-sums.ts'
import type { UserSums } from './user-sums.ts'

const figures = fc.array(fc.integer({ min: 1 - 2 ** 52, max: 2 ** 52 - 1 }), { minLength: 5, maxLength: 5 })
const sums = {
  times: { from: 900, end: 7200 },
  models: ['a', 'b'],
  corrections: '[]',
} satisfies Partial<UserSums>

it('returns the figures of all users as they were packed', () => {
  const users = fc.array(fc.tuple(fc.nat(2 ** 40), figures)).map((list) => new Map(list))
  fc.assert(
    fc.property(users, (all) => {
      const packed = packSums({ ...sums, users: all })?.figures ?? new Uint8Array()
      const row = { span: 'month', from: 900, end: 7200, models: '["a","b"]', corrections: '[]' }
      const read = runProgram(
        readSavedSums(
          () => true,
          () => 0,
        ),
        ({ sql }) => (sql.includes('select figures') ? [{ figures: packed }] : [row]),
      )
      expect(read?.users).toEqual(all)
    }),
  )
})

it('packs nothing of a moment within a correction, and no figure that would be rounded', () => {
  expect(packSums({ ...sums, corrections: undefined, users: new Map() })).toBeUndefined()
  expect(packSums({ ...sums, users: new Map([[1, [1, 1, 2 ** 53 - 1, 0, 0]]]) })).toBeUndefined()
})
