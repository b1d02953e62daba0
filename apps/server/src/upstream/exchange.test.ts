import { describe, expect, it } from 'bun:test'
import { ConnectionLostError } from '@tollgate/http'
import { Deadlines } from './deadlines.ts'
import { OpenExchange } from './exchange.ts'
import type { Send } from './transport.ts'

describe('OpenExchange', () => {
  it('sends nothing for a caller who hangs up while the host is being looked up', async () => {
    const lookup = Promise.withResolvers<Send>()
    const deadlines = new Deadlines({ now: Date.now })
    let wasSent = false
    const exchange = new OpenExchange(deadlines, 1000)
    const sending = exchange.send(() => lookup.promise)
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
