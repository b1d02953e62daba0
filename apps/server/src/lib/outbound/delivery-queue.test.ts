import { describe, expect, it } from 'bun:test'
import { until } from '../../../../../tests/support/until.ts'
import { createLogger } from '../logger.ts'
import { Refusal } from '../refusal.ts'
import { createDeliveryQueue, type Delivery, DeliveryError, lastTryAfterMs } from './delivery-queue.ts'

const logger = createLogger('silent')

function scripted(...outcomes: readonly (Refusal | 'fails' | 'fails for good' | 'hangs' | 'arrives')[]) {
  const times: number[] = []
  const done = Promise.withResolvers<void>()
  const delivery: Delivery = {
    kind: 'mail',
    about: {},
    async send(signal) {
      const outcome = outcomes[times.push(performance.now()) - 1] ?? 'arrives'
      if (outcome === 'hangs')
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      if (outcome instanceof Refusal) throw outcome
      if (outcome === 'fails') throw new Error('no connection')
      if (outcome === 'fails for good') throw new DeliveryError('gone', { isPermanent: true })
    },
    settled: () => done.resolve(),
  }
  return { delivery, times, settled: done.promise }
}

describe('the delivery queue', () => {
  it('retries after longer and longer pauses, until the message is delivered', async () => {
    const queue = createDeliveryQueue({ logger, pausesMs: [20, 60] })
    const { delivery, times, settled } = scripted('fails', 'fails', 'arrives')
    queue.add(delivery)
    await settled
    const [first = 0, second = 0, third = 0] = times
    expect(times).toHaveLength(3)
    expect(second - first).toBeGreaterThan(15)
    expect(third - second).toBeGreaterThan(55)
  })

  it('gives up after the last pause, and at once where a retry would not help', async () => {
    const queue = createDeliveryQueue({ logger, pausesMs: [1, 1] })
    const failing = scripted('fails', 'fails', 'fails', 'arrives')
    const refused = scripted('fails for good', 'arrives')
    queue.add(failing.delivery)
    queue.add(refused.delivery)
    await Promise.all([failing.settled, refused.settled])
    expect([failing.times.length, refused.times.length]).toEqual([3, 1])
  })

  it('sends others while one waits for a retry', async () => {
    const queue = createDeliveryQueue({ logger, atOnce: 1, pausesMs: [60_000] })
    const slow = scripted('fails')
    const quick = scripted('arrives')
    queue.add(slow.delivery)
    queue.add(quick.delivery)
    await quick.settled
    await queue.stop()
  })

  it('gives each kind its own turns', async () => {
    const queue = createDeliveryQueue({ logger, atOnce: 1 })
    const mail = scripted('arrives')
    queue.add({ ...scripted('hangs').delivery, kind: 'task' })
    queue.add(mail.delivery)
    await mail.settled
    await queue.stop()
  })

  it.each([
    ['tries again', 450, 2],
    ['gives up', 550, 1],
  ])('%s when the mail server refuses with %i', async (_does, responseCode, tries) => {
    const queue = createDeliveryQueue({ logger, pausesMs: [1] })
    const mail = scripted(new Refusal('mail_failed', {}, { cause: { responseCode } }), 'arrives')
    queue.add(mail.delivery)
    await mail.settled
    expect(mail.times).toHaveLength(tries)
  })

  it('accepts no more than its limit', async () => {
    const queue = createDeliveryQueue({ logger, atOnce: 1, limit: 2 })
    const added = Array.from({ length: 5 }, () => queue.add(scripted('hangs').delivery))
    expect(added).toEqual([true, true, true, false, false])
    await queue.stop()
  })

  it('gives up what failed before, to take what is new', async () => {
    const queue = createDeliveryQueue({ logger, limit: 2, pausesMs: [60_000] })
    const away = [scripted('fails'), scripted('fails')] as const
    for (const { delivery, times } of away) {
      queue.add(delivery)
      await until(() => times.length || undefined)
    }
    const fresh = scripted('arrives')
    expect(queue.add(fresh.delivery)).toBe(true)
    await Promise.all([away[0].settled, fresh.settled])
    await queue.stop()
  })

  it('tries for long enough that a receiver can restart, and a mail server can put a stranger off', () => {
    expect(lastTryAfterMs).toBeGreaterThan(10 * 60_000)
  })

  it('aborts deliveries without calling them settled, and accepts none after a stop', async () => {
    const queue = createDeliveryQueue({ logger })
    const settled: string[] = []
    const { delivery } = scripted('hangs')
    queue.add({ ...delivery, settled: () => void settled.push('settled') })
    await queue.stop()
    expect(queue.add(delivery)).toBe(false)
    expect(settled).toEqual([])
  })
})
