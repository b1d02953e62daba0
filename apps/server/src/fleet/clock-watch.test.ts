import { describe, expect, it } from 'bun:test'
import { ClockWatch } from './clock-watch.ts'

const minute = 60_000

/** A node whose clocks and database the test moves; `database` is what the difference to it is read from. */
function setUp({ isInFleet = true } = {}) {
  const time = { wall: 1_764_000_000_000, monotonic: 5000, database: 1_764_000_000_000, isDown: false }
  const stated: string[] = []
  const say = (level: string) => (_: unknown, text?: string) => void stated.push(`${level}: ${text}`)
  const watch = new ClockWatch({
    wall: { now: () => time.wall },
    monotonic: { now: () => time.monotonic },
    ...(isInFleet && {
      aheadOfDatabase: async () => {
        if (time.isDown) throw new Error('down')
        return time.wall - time.database
      },
    }),
    logger: { info: say('info'), warn: say('warn'), error: say('error') },
  })
  const pass = (ms: number) => {
    time.wall += ms
    time.monotonic += ms
    time.database += ms
  }
  return { time, said: stated, watch, pass }
}

describe('the clock of a running node', () => {
  it('is trusted while it goes as the monotonic one does, steps of NTP included', async () => {
    const { watch, pass, said: stated, time } = setUp()
    for (let round = 0; round < 50; round += 1) {
      pass(1000)
      time.wall += 400
      await watch.check()
      expect(watch.isTrusted).toBe(true)
    }
    expect(stated).toEqual([])
  })

  it.each([1, -1])(
    'is not trusted from a jump until the database confirms it (direction %d)',
    async (sign) => {
      const { watch, time, pass, said: stated } = setUp()
      time.wall += sign * 60 * minute
      expect(watch.isTrusted).toBe(false)
      await watch.check()
      expect(watch.isTrusted).toBe(false)
      expect(stated).toHaveLength(2)
      expect(stated[0]).toContain(`jumped 3600 s ${sign > 0 ? 'forwards' : 'backwards'}`)
      expect(stated[1]).toContain(
        `error: The clock of this machine is 60 minutes ${sign > 0 ? 'ahead of' : 'behind'}`,
      )
      pass(1000)
      await watch.check()
      expect(stated).toHaveLength(2)
      time.wall -= sign * 60 * minute
      expect(watch.isTrusted).toBe(false)
      await watch.check()
      expect(watch.isTrusted).toBe(true)
      expect(stated.at(-1)).toContain('info: the database confirms')
    },
  )

  it('is trusted again at once after a jump that the database has made, too, and after a small one', async () => {
    const { watch, time } = setUp()
    time.wall += 60 * minute
    time.database += 60 * minute
    expect(watch.isTrusted).toBe(false)
    await watch.check()
    expect(watch.isTrusted).toBe(true)
    time.wall += 3 * minute
    expect(watch.isTrusted).toBe(false)
    await watch.check()
    expect(watch.isTrusted).toBe(true)
  })

  it('is not trusted while the database cannot be asked', async () => {
    const { watch, time } = setUp()
    time.isDown = true
    time.wall += minute
    await watch.check()
    expect(watch.isTrusted).toBe(false)
    time.isDown = false
    await watch.check()
    expect(watch.isTrusted).toBe(true)
  })

  it('is found when it drifts apart without a jump', async () => {
    const { watch, time, pass } = setUp()
    watch.start()
    for (let round = 0; round < 200; round += 1) {
      pass(1000)
      time.wall += 1900
      await watch.check()
    }
    expect(watch.isTrusted).toBe(false)
    watch.close()
  })

  it('is reported, and goes on, where no other clock can confirm it', async () => {
    const { watch, time, said: stated } = setUp({ isInFleet: false })
    time.wall -= 60 * minute
    await watch.check()
    expect(watch.isTrusted).toBe(true)
    expect(stated).toHaveLength(1)
    expect(stated[0]).toContain('jumped 3600 s backwards')
  })
})
