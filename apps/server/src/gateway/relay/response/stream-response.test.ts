import { describe, expect, it } from 'bun:test'
import type { StreamReader } from '@tollgate/formats'
import type { BodySink } from '@tollgate/http/server'
import { perToken } from '../../../billing/pricing/test-support/prices.ts'
import type { Exchange, ExchangeEnd } from '../../../upstream/exchange.ts'
import { createResponseMemory } from '../../../upstream/response-body/response-memory.ts'
import type { StartedStream } from '../attempts/attempt-result.ts'
import type { CallCharge } from '../charge/call-charge.ts'
import type { CallOutcome } from '../limits/limits.ts'
import type { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import { pingedReply } from './reply.ts'
import { type StreamContext, StreamResponse } from './stream-response.ts'

const word = Buffer.from('data: word\n\n')

/** A stream that delivers a word with every chunk and never ends by itself. */
function endlessReader(): StreamReader {
  let delivered = 0
  return {
    push(chunk) {
      delivered += 4
      return { forward: [chunk], error: undefined, done: false }
    },
    end: () => ({ forward: [], error: undefined, done: false }),
    phase: 'delivering',
    outcome: 'cut',
    usage: undefined,
    latestUsage: undefined,
    get deliveredSize() {
      return delivered
    },
    delivered: () => ({ text: 'word'.repeat(delivered / 4), overflowBytes: 0, toolCalls: 0 }),
    trailer: () => '',
  }
}

/** Opens an exchange that calls its listener and rejects pending reads when our side ends it. */
function openExchange() {
  let listener: ((reason: ExchangeEnd) => void) | undefined
  const exchange = {
    endedBy: undefined as ExchangeEnd | undefined,
    deadline: { extend: () => {}, clear: () => {} },
    response: { next: () => {}, read: async () => ({ done: true }) },
    end(reason: ExchangeEnd) {
      exchange.endedBy ??= reason
      listener?.(reason)
    },
    whenEnded(reported: (reason: ExchangeEnd) => void) {
      listener = reported
    },
    done: () => {},
  }
  return exchange
}

/** An answer that waits for its upstream, and one that has begun. */
function waiting(price = perToken()) {
  const log: string[] = []
  let leftAlone = () => {}
  const exchange = openExchange()
  const connection = { isDisconnected: false, onDisconnect: () => {} }
  const charge = {
    price,
    promptTokens: 1,
    held: 1000,
    extend: () => true,
    settle: ({ ended }: { ended: string }) => log.push(`settled ${ended}`),
    record: () => log.push('recorded'),
    ended: false,
    fail: ({ code }: RelayError) => log.push(`failed ${code}`),
  } as unknown as CallCharge
  const context = {
    call: {
      connection,
      request: {
        maxOutputTokens: 100,
        candidates: 1,
        native: { text: '' },
        countTokens: async () => ({ inputTokens: 1, outputTokens: 1 }),
        streamForm: { contentType: 'text/event-stream', ping: '', last: () => '' },
      },
      trace: { firstTokenMs: 0 },
      dialect: { errorEvents: () => [] },
      requestId: 'r',
      releaseBody: () => log.push('body released'),
      caller: { user: { id: 1 } },
    },
    charge,
    grant: { release: ({ succeeded }: CallOutcome) => log.push(`released ${succeeded}`) },
    entry: {
      reaches: () => {},
      opened: () => {},
      endsWithCaller: () => {},
      goesOnAlone: (alone: () => void) => (leftAlone = alone),
      leave: () => log.push('left'),
    },
    deps: {
      pings: { pingMs: undefined },
      clock: { now: () => 0 },
      limits: { silenceMs: 1000 },
      deadlines: { start: () => ({ clear: () => {} }) },
      responses: createResponseMemory({ limitBytes: 1e9, accountLimitBytes: 1e9 }),
      fault: (error: unknown) => log.push(String(error)),
    },
  } as unknown as StreamContext
  const response = new StreamResponse(context)
  const started = { exchange, reader: endlessReader(), held: [word], done: false, dropped: [] }
  const operation = { format: 'openai-chat' }
  const facts = { channel: { paramOverride: null }, upstreamModel: 'm', operation, stripped: [] }
  const candidate = facts as unknown as Candidate
  return {
    response,
    context,
    responded: { candidate, started: started as unknown as StartedStream },
    log,
    exchange: exchange as unknown as Exchange,
    connection,
    leave: () => leftAlone(),
  }
}

function streaming(price = perToken()) {
  const world = waiting(price)
  world.response.begin(world.responded.candidate, world.responded.started)
  return world
}

function sink(write: () => boolean): BodySink {
  return { write, whenDrained: () => {}, end: () => {}, abort: () => {} }
}

const settled = ['settled client_gone', 'recorded', 'released false', 'left', 'body released']

describe('StreamResponse', () => {
  it('settles what was delivered when a write reports that the caller is gone', async () => {
    const { response, log, exchange, connection } = streaming()
    let writes = 0
    response.pipe(
      sink(() => {
        writes += 1
        if (writes < 3) return true
        connection.isDisconnected = true
        exchange.end('client')
        return false
      }),
    )
    response.piece(word)
    response.piece(word)
    await Bun.sleep(1)
    expect(log).toEqual(settled)
  })

  it('settles when the caller goes while it does not take what it was sent', async () => {
    const { response, log, exchange } = streaming()
    response.pipe(sink(() => false))
    exchange.end('client')
    await Bun.sleep(1)
    expect(log).toEqual(settled)
  })

  it.each(['while it is written to', 'while it takes nothing', 'before its response is written'])(
    'goes on to its end where nothing else says what it costs, and its caller goes %s',
    async (moment) => {
      const price = { ...perToken(), whenUncounted: perToken() }
      const { response, log, connection, leave, responded } = streaming(price)
      const hangUp = () => {
        connection.isDisconnected = true
        leave()
        return false
      }
      if (moment === 'before its response is written') hangUp()
      response.pipe(sink(moment === 'while it takes nothing' ? () => false : hangUp))
      if (moment === 'while it takes nothing') hangUp()
      response.piece(word)
      expect(log).toEqual([])
      Object.assign(responded.started.reader, { outcome: 'complete' })
      response.ended()
      await Bun.sleep(1)
      expect(log.slice(0, 2)).toEqual(['settled client_gone', 'recorded'])
    },
  )

  it('settles when the caller is gone before its response is written', async () => {
    const { response, log, exchange } = streaming()
    exchange.end('client')
    await Bun.sleep(1)
    expect(log).toEqual(settled)
    let cut = false
    response.pipe({ ...sink(() => true), abort: () => (cut = true) })
    expect(cut).toBe(true)
  })

  it('gives back what was held when a fault of ours keeps it from being settled', async () => {
    const { response, log, exchange, context } = streaming()
    context.call.request.countTokens = () => Promise.reject(new Error('a fault'))
    response.pipe(sink(() => false))
    exchange.end('client')
    await Bun.sleep(1)
    expect(log).toContain('failed internal_error')
    expect(log).not.toContain('settled client_gone')
  })
})

describe('pingedReply', () => {
  it('ends the response of a waiting caller after an internal error', async () => {
    const { context, responded, log, exchange } = waiting()
    const answering = Promise.withResolvers<typeof responded>()
    const { body } = pingedReply(context, answering.promise)
    let writes = 0
    const ends: string[] = []
    if (typeof body !== 'object' || !('pipe' in body)) throw new Error('no stream')
    body.pipe({
      ...sink(() => {
        writes += 1
        if (writes > 1) throw new Error('a fault')
        return true
      }),
      end: () => ends.push('ended'),
    })
    answering.resolve(responded)
    await Bun.sleep(1)
    expect(log).toEqual([
      'Error: a fault',
      'failed internal_error',
      'released false',
      'left',
      'body released',
    ])
    expect(ends).toEqual(['ended'])
    expect(exchange.endedBy).toBe('shutdown')
  })
})
