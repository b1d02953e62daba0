import { describe, expect, it } from 'bun:test'
import { maxImageBytes, readImages, refusalOf } from './read-images.ts'

describe('a picture', () => {
  it('is refused for its type or its size', () => {
    expect(refusalOf({ type: 'image/png', size: maxImageBytes })).toBeUndefined()
    expect(refusalOf({ type: 'image/png', size: maxImageBytes + 1 })).toBe('size')
    expect(refusalOf({ type: 'application/pdf', size: 1 })).toBe('type')
    expect(refusalOf({ type: 'image/svg+xml', size: 1 })).toBe('type')
  })

  it('that does not fit is named, each reason once', async () => {
    const text = new File(['x'], 'a.txt', { type: 'text/plain' })
    expect(await readImages([text, text], 5)).toEqual({ images: [], refused: ['type'] })
    const picture = new File(['x'], 'a.png', { type: 'image/png' })
    expect((await readImages([picture, text], 0)).refused).toEqual(['type', 'count'])
  })
})
