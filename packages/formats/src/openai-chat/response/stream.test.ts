import { describe, expect, it } from 'bun:test'
import { decodeErrorBody } from '../../errors/decode-error.ts'
import type { UpstreamFailure } from '../../errors/upstream-error.ts'
import type { StreamStep } from '../../streams/stream-reader.ts'
import { usageOf } from '../../usage.ts'
import { OpenAiStreamReader } from './stream.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (pieces: readonly Uint8Array[]) =>
  pieces.map((piece) => new TextDecoder().decode(piece)).join('')
const frame = (event: unknown) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`

function reader(includeUsage = false): OpenAiStreamReader {
  return new OpenAiStreamReader({
    includeUsage,
    maxFrameBytes: 1 << 20,
    decodeError: (failure: UpstreamFailure) => decodeErrorBody(failure),
  })
}

function readAll(
  stream: OpenAiStreamReader,
  text: string,
): { readonly out: string; readonly last: StreamStep } {
  const pushed = stream.push(encode(text))
  const last = stream.end()
  return { out: decode([...pushed.forward, ...last.forward]), last }
}

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1760000001, model: 'gpt-5.6-luna' }
const delta = (delta: unknown, finish: string | null = null, more: object = {}) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
})
const usage = {
  prompt_tokens: 12,
  completion_tokens: 3,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 2 },
}
const counted = usageOf({
  inputTokens: 10,
  cacheReadTokens: 2,
  cacheWriteTokens: 0,
  outputTokens: 3,
  reasoningTokens: 0,
})
const role = frame(delta({ role: 'assistant', content: '' }))
const hello = frame(delta({ content: 'Hel' })) + frame(delta({ content: 'lo' }))
const stop = frame(delta({}, 'stop'))
const usageChunk = frame({ ...head, choices: [], usage })
const done = frame('[DONE]')

describe('OpenAiStreamReader', () => {
  it('does not believe a count that came before the text, whether the response was cut or complete', () => {
    const early = frame(
      delta({ role: 'assistant' }, null, { usage: { prompt_tokens: 12, completion_tokens: 1 } }),
    )
    const cut = reader()
    readAll(cut, early + hello)
    expect(cut.usage).toBeUndefined()
    expect(cut.delivered().text).toBe('Hello')
    const complete = reader()
    readAll(complete, early + hello + stop + done)
    expect(complete.usage).toBeUndefined()
    const running = reader()
    readAll(running, frame(delta({ content: 'Hello' }, null, { usage })))
    expect(running.usage).toEqual(counted)
  })

  it('forwards events as received and holds back an unrequested usage chunk and [DONE]', () => {
    const stream = reader()
    const { out, last } = readAll(stream, `: hello\n\n${role}${hello}${stop}${usageChunk}${done}`)
    expect(out).toBe(`: hello\n\n${role}${hello}${stop}`)
    expect(last).toMatchObject({ done: true, error: undefined })
    expect(stream.usage).toEqual(counted)
    expect(stream.outcome).toBe('complete')
    expect(stream.trailer(counted)).toBe(done)
  })

  it('forwards the usage chunk to a caller who asked, and adds none of its own', () => {
    const stream = reader(true)
    expect(readAll(stream, role + hello + stop + usageChunk + done).out).toBe(
      role + hello + stop + usageChunk,
    )
    expect(stream.trailer(counted)).toBe(done)
  })

  it('makes the usage chunk that the caller asked for and the upstream never sent', () => {
    const stream = reader(true)
    readAll(stream, role + hello + stop + done)
    expect(stream.usage).toBeUndefined()
    const [chunk, end] = stream.trailer(counted).split('\n\n')
    expect(end).toBe('data: [DONE]')
    expect(JSON.parse(chunk?.slice('data: '.length) ?? '')).toEqual({
      ...head,
      choices: [],
      usage: { ...usage, completion_tokens_details: { reasoning_tokens: 0 } },
    })
  })

  it('passes neighbouring frames of one chunk as one piece of the very bytes', () => {
    const stream = reader()
    const bytes = encode(role + hello + usageChunk + stop)
    const { forward } = stream.push(bytes)
    expect(forward.map((piece) => piece.buffer === bytes.buffer)).toEqual([true, true])
    expect(decode(forward)).toBe(role + hello + stop)
  })

  it('reads usage in the chunk with the end, in a choice, under x_groq, or in every chunk', () => {
    const positions = [
      frame(delta({ content: '' }, 'stop', { usage })),
      frame({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }),
      frame(delta({}, 'stop', { x_groq: { id: 'r', usage } })),
      frame(delta({ content: 'x' }, null, { usage: { ...usage, completion_tokens: 1 } })) +
        frame(delta({}, 'stop', { usage })),
    ]
    for (const position of positions) {
      const stream = reader()
      expect(readAll(stream, role + hello + position + done).out).toBe(role + hello + position)
      expect(stream.usage).toEqual(counted)
    }
  })

  it('takes usage of nothing for no usage', () => {
    const stream = reader()
    const zero = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    readAll(stream, frame(delta({ content: 'Hi' }, null, { usage: zero })) + stop + done)
    expect(stream.usage).toBeUndefined()
  })

  it('does not believe that text took no tokens', () => {
    const stream = reader()
    readAll(
      stream,
      role +
        hello +
        stop +
        frame({ ...head, choices: [], usage: { prompt_tokens: 9, completion_tokens: 0 } }) +
        done,
    )
    expect(stream.usage).toBeUndefined()
  })

  it('collects content, reasoning, refusals and tool calls for counting', () => {
    const stream = reader()
    const call = (id: string | undefined, name: string | undefined, text: string) =>
      frame(delta({ tool_calls: [{ index: 0, id, function: { name, arguments: text } }] }))
    readAll(
      stream,
      [
        frame(delta({ role: 'assistant', content: null, reasoning_content: 'Th' })),
        frame(delta({ reasoning_content: 'ink "\\' })),
        frame(delta({ reasoning_content: '\\"\ud83d' })),
        frame(delta({ reasoning_content: '\ude00.' })),
        frame(
          delta({
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
              { type: 'text', text: '4' },
            ],
          }),
        ),
        call('c1', 'weather', ''),
        call(undefined, undefined, '{"city":'),
        call(undefined, undefined, '"Oslo"}'),
        frame(delta({ refusal: 'No.' })),
        stop,
      ].join(''),
    )
    expect(stream.delivered()).toEqual({
      text: 'Think "\\\\"😀.hm4weather{"city":"Oslo"}No.',
      overflowBytes: 0,
      toolCalls: 1,
    })
  })

  it('counts reasoning under two names once', () => {
    const stream = reader()
    readAll(
      stream,
      frame(delta({ reasoning: 'Plan', reasoning_content: 'Plan', reasoning_details: [{ text: 'Plan' }] })) +
        stop,
    )
    expect(stream.delivered().text).toBe('Plan')
  })

  it('collects the text of completions', () => {
    const stream = reader()
    const text = (part: string, finish: string | null = null) =>
      frame({
        ...head,
        object: 'text_completion',
        choices: [{ text: part, index: 0, finish_reason: finish }],
        usage: null,
      })
    readAll(stream, text('The') + text(' holiday') + text(' is', 'length') + done)
    expect(stream.delivered().text).toBe('The holiday is')
    expect(stream.outcome).toBe('complete')
  })

  it('keeps a bounded part of a long text and counts the rest', () => {
    const stream = reader()
    const part = frame(delta({ content: 'é'.repeat(50_000) }))
    for (let count = 0; count < 10; count++) stream.push(encode(part))
    expect(stream.delivered().text.length).toBe(250_000)
    expect(stream.delivered().overflowBytes).toBe(500_000)
  })

  it('passes what Azure thinks of the prompt to callers that read events without choices, and to no other', () => {
    const verdict = frame({ id: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] })
    const requested = reader(true)
    expect(readAll(requested, verdict + hello + stop + done).out).toStartWith(verdict)
    expect(requested.trailer(usageOf({ inputTokens: 1 }))).toContain(`"id":"${head.id}"`)
    expect(readAll(reader(), verdict + hello + stop + done).out).not.toContain('prompt_filter_results')
  })

  it('distinguishes noise, the opening and the response', () => {
    const stream = reader()
    stream.push(encode(': keep-alive\n\n'))
    stream.push(encode(frame({ ...head, choices: [], prompt_filter_results: [] })))
    expect(stream.phase).toBe('waiting')
    expect(stream.outcome).toBe('empty')
    stream.push(encode(role))
    expect(stream.phase).toBe('opened')
    stream.push(encode(hello))
    expect(stream.phase).toBe('delivering')
    expect(stream.outcome).toBe('cut')
    stream.push(encode(stop))
    expect(stream.outcome).toBe('complete')
  })

  it('stops at an error inside the stream, reports its kind, and does not forward it', () => {
    const failures = [
      [
        {
          id: 'gen-1',
          error: { code: 502, message: 'Provider down' },
          choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
        },
        'upstream_bug',
        502,
      ],
      [
        { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } },
        'rate_limited',
        429,
      ],
      [{ error: 'model not loaded' }, 'upstream_bug', 502],
      [{ code: 'invalid', message: 'flat' }, 'upstream_bug', 502],
      [delta({}, 'insufficient_system_resource'), 'upstream_bug', 502],
    ] as const
    for (const [event, kind, status] of failures) {
      const stream = reader()
      const { out, last } = readAll(stream, role + frame(event) + hello)
      expect(out).toBe(role)
      expect(last.error).toMatchObject({ kind, status })
      expect(stream.outcome).toBe('cut')
    }
  })

  it('takes an event of the name error for one', () => {
    const { last } = readAll(
      reader(),
      'event: error\ndata: {"code":"InvalidApiKey","message":"Invalid API-key provided."}\n\n',
    )
    expect(last.error).toMatchObject({ kind: 'unauthorized', message: 'Invalid API-key provided.' })
  })

  it.each(['{"choices":[{"delta":{"content":"He', 'null', '<html>', '[1]'])(
    'takes %s for a fault of the upstream',
    (payload) => {
      const { out, last } = readAll(reader(), role + frame(payload))
      expect(out).toBe(role)
      expect(last.error?.kind).toBe('upstream_bug')
    },
  )

  it('takes an endless event for a fault of the upstream', () => {
    const stream = new OpenAiStreamReader({
      includeUsage: false,
      maxFrameBytes: 100,
      decodeError: decodeErrorBody,
    })
    expect(stream.push(encode(`data: ${'x'.repeat(200)}`)).error).toMatchObject({
      kind: 'upstream_bug',
      status: 502,
    })
  })

  it('swallows a response that is repeated whole at the end, but for its usage', () => {
    const stream = reader()
    const complete = frame({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }],
      usage,
      base_resp: { status_code: 0, status_msg: '' },
    })
    expect(readAll(stream, role + hello + complete).out).toBe(role + hello)
    expect(stream.usage).toEqual(counted)
    expect(stream.delivered().text).toBe('Hello')
    expect(stream.outcome).toBe('complete')
  })

  it('forwards and counts a complete response in a single event', () => {
    const stream = reader()
    const complete = frame({
      ...head,
      choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }],
    })
    expect(readAll(stream, complete).out).toBe(complete)
    expect(stream.delivered().text).toBe('Hello')
  })

  it('drops half an event at the end, and still knows a complete response', () => {
    const stream = reader()
    const { out, last } = readAll(stream, `${hello}${stop}data: [DO`)
    expect(out).toBe(hello + stop)
    expect(last.error).toBeUndefined()
    expect(stream.outcome).toBe('complete')
  })

  it('reads a last event without its blank line', () => {
    const stream = reader(true)
    expect(readAll(stream, hello + stop + usageChunk.trim()).out).toBe(hello + stop + usageChunk)
    expect(stream.usage).toEqual(counted)
  })

  it('takes several answers for whole only when each has ended', () => {
    const stream = reader()
    const part = (index: number, finish: string | null) =>
      encode(
        frame({
          ...head,
          choices: [{ index, delta: finish ? {} : { content: 'x' }, finish_reason: finish }],
        }),
      )
    for (const index of [0, 1]) stream.push(part(index, null))
    stream.push(part(0, 'stop'))
    expect(stream.outcome).toBe('cut')
    stream.push(part(1, 'length'))
    expect(stream.outcome).toBe('complete')
  })

  it('reads nothing behind [DONE]', () => {
    const stream = reader()
    const { out } = readAll(stream, hello + stop + done + hello)
    expect(out).toBe(hello + stop)
    expect(stream.push(encode(hello)).forward).toEqual([])
    expect(stream.delivered().text).toBe('Hello')
  })

  it('says that a stream without any event is empty, and one that ends early is cut', () => {
    const nothing = reader()
    readAll(nothing, '')
    expect(nothing.outcome).toBe('empty')
    const half = reader()
    readAll(half, role + hello + frame(delta({ content: 'x' })).slice(0, 40))
    expect(half.outcome).toBe('cut')
  })
})
