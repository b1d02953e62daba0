import { afterEach, describe, expect, it } from 'bun:test'
import { Deadlines } from './deadlines.ts'

let deadlines: Deadlines | undefined
afterEach(() => deadlines?.close())

describe('Deadlines', () => {
  it('expires what is neither extended nor cleared', async () => {
    let now = 0
    deadlines = new Deadlines({ now: () => now })
    const expired: string[] = []
    deadlines.start(1000, () => expired.push('left alone'))
    const extended = deadlines.start(1000, () => expired.push('extended'))
    deadlines.start(1000, () => expired.push('cleared')).clear()
    now = 900
    extended.extend(1000)
    now = 1500
    await Bun.sleep(300)
    expect(expired).toEqual(['left alone'])
    now = 2000
    await Bun.sleep(300)
    expect(expired).toEqual(['left alone', 'extended'])
  })
})
