import { describe, expect, it } from 'bun:test'
import { httpTarget } from '../lib/http-client/http-client.ts'
import { createDeadlines } from './deadlines.ts'
import { type Exchange, openExchange } from './exchange.ts'
import { routedChannel } from './test-support/channels.ts'
import type { Send } from './upstream-client.ts'

describe('openExchange', () => {
  it('sends nothing for a caller who hangs up while the host is being looked up', async () => {
    const url = 'http://upstream.invalid/'
    const headers = new Headers()
    const lookup = Promise.withResolvers<Send>()
    const deadlines = createDeadlines({ now: Date.now })
    let opened: Pick<Exchange, 'end'> | undefined
    let wasSent = false
    const opening = openExchange(
      { deadlines, upstreams: () => lookup.promise },
      {
        address: { ...httpTarget(url, headers), url, headers },
        body: '',
        guard: undefined,
        proxy: undefined,
        provider: routedChannel({ id: 1 }).provider,
        limitMs: 1000,
      },
      (exchange) => {
        opened = exchange
      },
    )
    await Bun.sleep(1)
    opened?.end('client')
    lookup.resolve(() => {
      wasSent = true
      throw new Error('sent')
    })
    const result = await opening
    deadlines.close()
    expect(result).toMatchObject({ ok: false, endedBy: 'client' })
    expect(wasSent).toBe(false)
  })
})
