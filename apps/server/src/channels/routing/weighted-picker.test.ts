import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { WeightedPicker } from './weighted-picker.ts'

const weighing = (max: number) =>
  fc
    .array(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 12 })
    .filter((weights) => weights.some(Boolean))

describe('WeightedDraw', () => {
  it('draws each place exactly as often as its weight says', () => {
    fc.assert(
      fc.property(weighing(20), (weights) => {
        const drawing = new WeightedPicker(weights)
        const sum = weights.reduce((total, weight) => total + weight, 0)
        const points = sum * weights.length
        const drawn = weights.map(() => 0)
        // One draw in the middle of each unit of probability.
        for (let unit = 0; unit < points; unit += 1) {
          const position = drawing.draw((unit + 0.5) / points)
          drawn[position] = (drawn[position] ?? 0) + 1
        }
        expect(drawn).toEqual(weights.map((weight) => weight * weights.length))
      }),
    )
  })

  it('never draws a weight of 0, nor beyond the list, even where sums are rounded', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(weighing(Number.MAX_SAFE_INTEGER), fc.array(random), (weights, randoms) => {
        const drawing = new WeightedPicker(weights)
        for (const point of [0, 1 - Number.EPSILON / 2, ...randoms])
          expect(weights[drawing.draw(point)]).toBeGreaterThan(0)
      }),
    )
  })

  it('draws in turn, each index once before any comes again when all weigh the same', () => {
    const drawing = new WeightedPicker([3, 3, 3, 3])
    const drawn = Array.from({ length: 8 }, () => drawing.next(() => 0.5))
    expect(drawn).toEqual([2, 3, 0, 1, 2, 3, 0, 1])
  })

  it('follows the weights closely in every stretch of turns, and never draws a weight of 0', () => {
    fc.assert(
      fc.property(
        weighing(20),
        fc.nat(99),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (weights, skip, randoms) => {
          const drawing = new WeightedPicker(weights)
          const random = () => randoms.next().value ?? 0
          for (let turn = 0; turn < skip; turn += 1) drawing.next(random)
          const rounds = 200
          const drawn = weights.map(() => 0)
          for (let turn = 0; turn < rounds * weights.length; turn += 1) {
            const position = drawing.next(random)
            drawn[position] = (drawn[position] ?? 0) + 1
          }
          const sum = weights.reduce((total, weight) => total + weight, 0)
          for (const [position, weight] of weights.entries()) {
            const fair = (rounds * weights.length * weight) / sum
            // Each alias is some draws off in every stretch; random numbers would be off by the square root of its
            // length.
            expect(Math.abs((drawn[position] ?? 0) - fair)).toBeLessThanOrEqual(
              weight === 0 ? 0 : 3 * weights.length,
            )
          }
        },
      ),
    )
  })

  it('does not draw a heavy place many times running', () => {
    const drawing = new WeightedPicker([999, ...new Array<number>(999).fill(1)])
    let maxRunning = 0
    let running = 0
    for (let turn = 0; turn < 20_000; turn += 1) {
      running = drawing.next(() => 0.25) === 0 ? running + 1 : 0
      maxRunning = Math.max(maxRunning, running)
    }
    expect(maxRunning).toBeLessThanOrEqual(4)
  })

  it('draws from very long lists', () => {
    const drawing = new WeightedPicker(Array.from({ length: 200_000 }, (_, index) => index % 5))
    expect(drawing.draw(0.5) % 5).toBeGreaterThan(0)
  })
})
