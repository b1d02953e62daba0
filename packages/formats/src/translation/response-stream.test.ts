import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChatCodec, EncodeContext, TextFrame } from '../canonical/codec.ts'
import type { ChatResponse } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { chatCodecs } from '../codecs.ts'
import { AwsEventStreamScanner, unwrapBedrockEvent } from '../framing/aws-event-stream.ts'
import { SseScanner } from '../framing/sse.ts'
import { encodeEventFrame, encodeExceptionFrame } from '../framing/test-support/encode-event-stream.ts'
import { cutBytes } from '../framing/test-support/read-frames.ts'
import { sseWriter } from '../framing/writer.ts'
import { collectResponse } from '../streams/collect-response.ts'
import { anyResponse, streamOf } from '../test-support/arbitraries.ts'
import { type Usage, usageOf } from '../usage.ts'
import { ResponseStream, type ResponseStreamOptions } from './response-stream.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString()
const sse = (frames: readonly TextFrame[]) => frames.map((frame) => sseWriter.write(frame)).join('')

const call: EncodeContext = {
  model: 'asked-model',
  responseId: 'r1',
  createdAt: 1_760_000_000,
  includeUsage: true,
  estimatedInputTokens: 10,
}
const usage = usageOf({ inputTokens: 10, cacheReadTokens: 2, outputTokens: 3 })

const response: ChatResponse = {
  id: '',
  model: 'm',
  createdAt: 1_760_000_000,
  candidates: [
    {
      index: 0,
      parts: [
        { type: 'text', text: 'Let me look, é漢😀.' },
        { type: 'tool-call', id: 'c1', name: 'look', arguments: '{"at":"x"}' },
      ],
      stop: { reason: 'tool-calls' },
    },
  ],
  usage,
}

/** The response as an upstream of the format streams it: its frames, and those among them that say the end. */
function framesOf(codec: ChatCodec, stated: ChatResponse): readonly TextFrame[] {
  const state = codec.encodeStream.start(call)
  const frames = streamOf(stated, 5).flatMap((part) => codec.encodeStream.step(state, part))
  return [...frames, ...codec.encodeStream.finish(state, stated.usage ?? usageOf({}))]
}

interface Run {
  readonly stream: ResponseStream
  readonly forwarded: string
  readonly error: string | undefined
}

function run(options: Partial<ResponseStreamOptions>, chunks: readonly Uint8Array[]): Run {
  const stream = new ResponseStream({
    scanner: new SseScanner(1 << 20),
    decoder: chatCodecs['openai-chat'],
    encode: 'as-received',
    maxFrameBytes: 1 << 20,
    ...options,
  })
  const steps = [...chunks.map((chunk) => stream.push(chunk)), stream.end()]
  return {
    stream,
    forwarded: decode(steps.flatMap((step) => step.forward)),
    error: steps.at(-1)?.error?.kind,
  }
}

/** The parts that a caller of the format reads in what it got. */
function readBack(codec: ChatCodec, text: string): readonly ChatPart[] {
  const scanner = new SseScanner(1 << 20)
  const state = codec.decodeStream.start()
  const frames = [...scanner.push(encode(text)), ...scanner.end()]
  const parts = frames.flatMap(({ data, event }) =>
    data === undefined ? [] : codec.decodeStream.step(state, { event, data: new TextDecoder().decode(data) }),
  )
  return [...parts, ...codec.decodeStream.finish(state)]
}

const codecs: readonly ChatCodec[] = Object.values(chatCodecs)
const pairs = codecs.flatMap((from) =>
  codecs.map((to) => ({ from, to, name: `${from.format} → ${to.format}` })),
)
const content = (each: ChatResponse) =>
  each.candidates.map(({ parts, stop }) => ({ parts, stop: stop.reason }))

describe.each(pairs)('ResponseStream $name', ({ from, to }) => {
  /** Every byte for one target of each source, and a spread of them for the others: a split concerns the source alone. */
  const step = to === codecs[0] ? 1 : 11
  const encoded = () => ({ decoder: from, encode: { codec: to, call } }) as const

  it('says the same response in the other format, and the charged usage', () => {
    fc.assert(
      fc.property(anyResponse, fc.array(fc.nat(), { maxLength: 5 }), (stated, positions) => {
        const bytes = encode(sse(framesOf(from, stated)))
        const { stream, forwarded, error } = run(encoded(), cutBytes(bytes, positions))
        expect(error).toBeUndefined()
        expect(stream.outcome).toBe('complete')
        expect(stream.usage).toEqual(stated.usage as Usage)
        const charged = usageOf({ inputTokens: 77, outputTokens: 33 })
        const parts = readBack(to, forwarded + stream.trailer(charged))
        const read = collectResponse(parts)
        expect(content(read)).toEqual(content(stated))
        expect(read.usage).toEqual(charged)
        expect(parts.some((part) => part.type === 'error')).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('is the same however its bytes are split', () => {
    const bytes = encode(sse(framesOf(from, response)))
    const complete = run(encoded(), [bytes])
    for (let position = 0; position < bytes.length; position += step) {
      const split = run(encoded(), [bytes.slice(0, position), bytes.slice(position)])
      expect(split.forwarded).toBe(complete.forwarded)
      expect(split.stream.usage).toEqual(usage)
    }
    expect(complete.stream.delivered()).toEqual({
      text: 'Let me look, é漢😀.look{"at":"x"}',
      overflowBytes: 0,
      toolCalls: 1,
    })
  })

  it('does not say the end before it is asked for the trailer', () => {
    const { stream, forwarded } = run(encoded(), [encode(sse(framesOf(from, response)))])
    const before = readBack(to, forwarded)
    const after = readBack(to, forwarded + stream.trailer(usage))
    expect(before.some((part) => part.type === 'end')).toBe(false)
    expect(before.some((part) => part.type === 'stop')).toBe(false)
    expect(after.filter((part) => part.type === 'stop')).toHaveLength(1)
  })

  it('takes no stream that is cut short for a complete response', () => {
    const bytes = encode(sse(framesOf(from, response)))
    let complete = 0
    for (let length = 0; length < bytes.length; length += step) {
      const { stream, error } = run(encoded(), [bytes.slice(0, length)])
      expect(error).toBeUndefined()
      const isComplete = stream.outcome === 'complete'
      if (isComplete) complete++
      // After its stop reason a response is complete, and stays so.
      expect(isComplete).toBe(complete > 0)
      if (isComplete) expect(stream.delivered().text).toEndWith('{"at":"x"}')
    }
  })

  it('stops at an error, before the first token and after it', () => {
    const frames = framesOf(from, response)
    const error = {
      status: 429,
      message: 'Slow down',
      type: 'rate_limit_error',
      param: null,
      code: 'rate_limit_exceeded',
    }
    const failure = from.encodeStreamError(error, call)
    const early = run(encoded(), [encode(sse([...failure, ...frames]))])
    expect(early).toMatchObject({ error: 'rate_limited', forwarded: '' })
    expect(early.stream.phase).toBe('waiting')
    const started = frames.findIndex(({ data }) => data.includes('Let m')) + 1
    const late = run(encoded(), [
      encode(sse([...frames.slice(0, started), ...failure, ...frames.slice(started)])),
    ])
    expect(late.error).toBe('rate_limited')
    expect(late.stream.phase).toBe('delivering')
    expect(late.stream.outcome).toBe('cut')
    expect(late.stream.push(encode(sse(frames))).forward).toEqual([])
  })
})

describe.each(codecs.map((codec) => ({ codec, name: codec.format })))(
  'ResponseStream within $name',
  ({ codec }) => {
    const received = () => ({ decoder: codec, encode: 'as-received' }) as const

    it('passes the very bytes, but for the end, which is the trailer', () => {
      const text = `: hello\n\n${sse(framesOf(codec, response))}`
      const bytes = encode(text)
      for (let position = 0; position < bytes.length; position += 7) {
        const { stream, forwarded } = run(received(), [bytes.slice(0, position), bytes.slice(position)])
        expect(forwarded + stream.trailer(usage)).toBe(text)
        expect(readBack(codec, forwarded).some((part) => part.type === 'end')).toBe(false)
        expect(stream.trailer(usage)).not.toBe('')
        expect(stream.usage).toEqual(usage)
      }
    })

    it('passes neighbouring frames of one chunk as one piece of the very bytes', () => {
      const bytes = encode(sse(framesOf(codec, response)))
      const stream = new ResponseStream({
        scanner: new SseScanner(1 << 20),
        maxFrameBytes: 1 << 20,
        ...received(),
      })
      const { forward } = stream.push(bytes)
      expect(forward).toHaveLength(1)
      expect(forward[0]?.buffer).toBe(bytes.buffer)
    })

    it('lets a provider say what its failures mean', () => {
      const failure = sse(
        codec.encodeStreamError(
          { status: 500, message: 'x', type: 'api_error', param: null, code: 'own' },
          call,
        ),
      )
      const seen: string[] = []
      const { error } = run(
        {
          ...received(),
          decodeError: ({ body }) => {
            seen.push(body)
            return { kind: 'quota', status: 402, message: 'x', type: 'x', code: 'x', param: null }
          },
        },
        [encode(failure)],
      )
      expect(error).toBe('quota')
      expect(seen).toHaveLength(1)
    })
  },
)

describe('ResponseStream', () => {
  const openAi = chatCodecs['openai-chat']
  const chunk = (index: number, delta: object, finish: string | null = null) =>
    sse([{ data: JSON.stringify({ id: 'c', choices: [{ index, delta, finish_reason: finish }] }) }])
  /** A format whose streams end with their bytes. */
  const endless: ChatCodec = { ...(openAi as ChatCodec), format: 'gemini' }

  it('keeps the frame in which the last candidate stopped, and what follows it, where there is no end mark', () => {
    const head = chunk(0, { content: 'a' }) + chunk(1, { content: 'b' }) + chunk(0, {}, 'stop')
    const tail = `${chunk(1, { content: 'c' }, 'stop')}: bye\n\n${chunk(1, { content: '' })}`
    const { stream, forwarded } = run({ decoder: endless }, [encode(head), encode(tail)])
    expect(forwarded).toBe(head)
    expect(stream.trailer(undefined)).toBe(tail)
    expect(stream.outcome).toBe('complete')
    const events = run({ decoder: endless, encode: 'as-events' }, [encode(head), encode(tail)])
    expect(events.forwarded).toBe(head)
    expect(events.stream.trailer(undefined)).toBe(tail.replace(': bye\n\n', ''))
  })

  it('lets the kept frames go when the response goes on after all', () => {
    const first = chunk(0, { content: 'a' }) + chunk(0, {}, 'stop')
    const second = chunk(1, { content: 'b' })
    const third = chunk(1, {}, 'stop')
    for (const encode_ of ['as-received', 'as-events'] as const) {
      const { stream, forwarded } = run(
        { decoder: endless, encode: encode_ },
        [first, second, third].map(encode),
      )
      expect(forwarded).toBe(first + second)
      expect(stream.trailer(undefined)).toBe(third)
    }
  })

  it('does not keep without bound', () => {
    const stopped = chunk(0, { content: 'a' }, 'stop')
    const { error } = run({ decoder: endless, maxFrameBytes: 500 }, Array(20).fill(encode(stopped)))
    expect(error).toBe('upstream_bug')
  })

  it('gives a last frame without its blank line one, wherever it goes', () => {
    const text = chunk(0, { content: 'a' })
    expect(run({}, [encode(text.trimEnd())]).forwarded).toBe(text)
    const stop = chunk(0, {}, 'stop')
    const { stream, forwarded } = run({ decoder: endless }, [encode(text + stop.trimEnd())])
    expect(forwarded).toBe(text)
    expect(stream.trailer(undefined)).toBe(stop)
  })

  it('announces no call that only began when its bytes ended', () => {
    const anthropic = chatCodecs['anthropic-messages']
    const open = chunk(0, { tool_calls: [{ index: 0, id: 'c', function: { name: 'look', arguments: '' } }] })
    const { stream, forwarded } = run({ encode: { codec: anthropic, call } }, [
      encode(`${open}data: [DONE]\n\n`),
    ])
    expect(stream.outcome).toBe('cut')
    expect(collectResponse(readBack(anthropic, forwarded)).candidates[0]?.parts).toEqual([])
  })

  it('counts nothing when usage never came', () => {
    const { stream } = run({}, [
      encode(`${chunk(0, { content: 'a' })}${chunk(0, {}, 'stop')}data: [DONE]\n\n`),
    ])
    expect(stream.usage).toBeUndefined()
    expect(stream.deliveredSize).toBe(1)
    expect(stream.trailer(undefined)).toBe('data: [DONE]\n\n')
  })

  it('takes an endless frame for a fault of the upstream', () => {
    const { error } = run({ scanner: new SseScanner(100) }, [encode(`data: ${'x'.repeat(200)}`)])
    expect(error).toBe('upstream_bug')
  })
})

describe('ResponseStream of Bedrock', () => {
  const anthropic = chatCodecs['anthropic-messages']
  const wrap = ({ data }: TextFrame) =>
    encodeEventFrame('chunk', { bytes: Buffer.from(data).toString('base64'), p: 'ab' })
  const wrapped = framesOf(anthropic, response).map(wrap)
  const bytes = new Uint8Array(Buffer.concat(wrapped))
  const options = () =>
    ({ scanner: new AwsEventStreamScanner(1 << 16), unwrap: unwrapBedrockEvent, decoder: anthropic }) as const

  it('passes the events inside as events of their own, but for the end', () => {
    for (let position = 0; position < bytes.length; position += 13) {
      const { stream, forwarded } = run({ ...options(), encode: 'as-events' }, [
        bytes.slice(0, position),
        bytes.slice(position),
      ])
      expect(forwarded + stream.trailer(usage)).toBe(sse(framesOf(anthropic, response)))
      expect(stream.trailer(usage)).toStartWith('event: message_stop\n')
      expect(stream.usage).toEqual(usage)
    }
  })

  it('tells the kind of an exception, and of bytes that were damaged', () => {
    const exception = encodeExceptionFrame('throttlingException', { message: 'slow down' })
    const failed = run({ ...options(), encode: 'as-events' }, [...wrapped.slice(0, 5), exception])
    expect(failed.error).toBe('rate_limited')
    expect(failed.stream.phase).toBe('delivering')
    const damaged = bytes.slice()
    damaged[20] = (damaged[20] ?? 0) ^ 1
    expect(run({ ...options(), encode: 'as-events' }, [damaged])).toMatchObject({
      error: 'upstream_bug',
      forwarded: '',
    })
  })
})

it.each(['as-received', { codec: chatCodecs.gemini, call }] as const)(
  'says why a model failed without content, as the format knows it and its provider does not',
  (form) => {
    const { gemini } = chatCodecs
    const failed = { candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }] }
    const stream = new ResponseStream({
      scanner: new SseScanner(1 << 20),
      decoder: gemini,
      encode: form,
      maxFrameBytes: 1 << 20,
      decodeError: (failure) => gemini.decodeError(failure),
    })
    expect(stream.push(encode(sse([{ data: JSON.stringify(failed) }]))).error).toMatchObject({
      code: 'MALFORMED_FUNCTION_CALL',
      message: 'The model wrote a call of a tool that cannot be read.',
    })
  },
)
