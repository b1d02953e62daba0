import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { WeightedDraw } from './weighted-draw.ts'

const weighing = (max: number) =>
  fc
    .array(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 12 })
    .filter((weights) => weights.some(Boolean))

describe('WeightedDraw', () => {
  it('draws each place exactly as often as its weight says', () => {
    fc.assert(
      fc.property(weighing(20), (weights) => {
        const drawing = new WeightedDraw(weights)
        const sum = weights.reduce((total, weight) => total + weight, 0)
        const points = sum * weights.length
        const drawn = weights.map(() => 0)
        // One draw in the middle of each unit of luck.
        for (let unit = 0; unit < points; unit += 1) {
          const place = drawing.draw((unit + 0.5) / points)
          drawn[place] = (drawn[place] ?? 0) + 1
        }
        expect(drawn).toEqual(weights.map((weight) => weight * weights.length))
      }),
    )
  })

  it('never draws a weight of 0, nor beyond the list, even where sums are rounded', () => {
    const luck = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(weighing(Number.MAX_SAFE_INTEGER), fc.array(luck), (weights, lucks) => {
        const drawing = new WeightedDraw(weights)
        for (const point of [0, 1 - Number.EPSILON / 2, ...lucks])
          expect(weights[drawing.draw(point)]).toBeGreaterThan(0)
      }),
    )
  })

  it('takes lists as long as anybody has', () => {
    const drawing = new WeightedDraw(Array.from({ length: 200_000 }, (_, place) => place % 5))
    expect(drawing.draw(0.5) % 5).toBeGreaterThan(0)
  })
})
