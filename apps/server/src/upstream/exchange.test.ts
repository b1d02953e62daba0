import { describe, expect, it } from 'bun:test'
import { ConnectionLostError } from '@tollgate/http'
import { httpTarget } from '@tollgate/http/client'
import { createDeadlines } from './deadlines.ts'
import { OpenExchange } from './exchange.ts'
import type { Send } from './upstream-client.ts'

describe('OpenExchange', () => {
  it('sends nothing for a caller who hangs up while the host is being looked up', async () => {
    const url = 'http://upstream.invalid/'
    const headers = new Headers()
    const lookup = Promise.withResolvers<Send>()
    const deadlines = createDeadlines({ now: Date.now })
    let wasSent = false
    const exchange = new OpenExchange(deadlines, 1000)
    const sending = exchange.send(() => lookup.promise, {
      address: { ...httpTarget(url, headers), url, headers },
      body: '',
      guard: undefined,
      proxy: undefined,
    })
    exchange.end('client')
    lookup.resolve(() => {
      wasSent = true
      throw new Error('sent')
    })
    const error = await sending.catch((thrown) => thrown)
    deadlines.close()
    expect(error).toBeInstanceOf(ConnectionLostError)
    expect(exchange.endedBy).toBe('client')
    expect(wasSent).toBe(false)
  })
})
