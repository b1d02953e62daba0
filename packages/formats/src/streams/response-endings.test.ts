import { describe, expect, it } from 'bun:test'
import {
  type Announced,
  type AnnouncingDialect,
  announcedIn,
  announcedInBody,
} from '../../../../tests/support/announced-calls.ts'
import type { ChatCodec, EncodeContext } from '../canonical/codec.ts'
import { chatCodecs } from '../codecs.ts'
import { BufferedBodyScanner, SseScanner } from '../framing/index.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import type { JsonObject } from '../json/value.ts'
import { ResponseStream } from '../translation/response-stream.ts'
import { usageOf } from '../usage.ts'
import { translateResponse } from './response-body.ts'
import { singleEventCodec } from './response-parts.ts'

const { 'openai-chat': chat, 'openai-responses': responses, 'anthropic-messages': messages } = chatCodecs
const dialects: readonly ChatCodec[] = Object.values(chatCodecs)
const tools = [{ type: 'custom', name: 'exec' }]
const call: EncodeContext = {
  model: 'asked',
  responseId: 'r1',
  createdAt: 7,
  includeUsage: false,
  estimatedInputTokens: 3,
  echo: { tools },
  stopSequences: ['END', 'stop'],
}
const counted = usageOf({ inputTokens: 10, outputTokens: 5 })
const half = '{"cmd":"rm -rf /srv/build'
const none = { calls: [] }

/** Message of Chat Completions, in one of its ways. */
interface Stated {
  readonly content?: string
  readonly tool_calls?: readonly { readonly name: string; readonly arguments?: unknown }[]
  readonly finish_reason?: string | null
  readonly stop_reason?: unknown
  readonly matched_stop?: unknown
}

const wireCalls = ({ tool_calls = [] }: Stated) => {
  const wired = tool_calls.map((called, index) => ({
    index,
    id: `c${index}`,
    type: 'function',
    function: called,
  }))
  return wired.length === 0 ? {} : { tool_calls: wired }
}

function choiceOf({ content, tool_calls, ...end }: Stated, key: 'delta' | 'message'): JsonObject {
  const stated = {
    role: 'assistant',
    content: content ?? null,
    ...wireCalls({ ...(tool_calls && { tool_calls }) }),
  }
  return { index: 0, [key]: stated, finish_reason: null, ...end }
}

const bodyOf = (stated: Stated) => JSON.stringify({ id: 'c', choices: [choiceOf(stated, 'message')] })

/** Content and end are events of their own, as servers send them. */
function framesOf({ content, tool_calls, ...end }: Stated, mark: string): string {
  const begun = choiceOf({ ...(content && { content }), ...(tool_calls && { tool_calls }) }, 'delta')
  const chunks = [begun, ...(end.finish_reason == null ? [] : [choiceOf(end, 'delta')])]
  return `${chunks.map((choice) => `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`).join('')}${mark}`
}

interface Reading extends Announced {
  readonly text: string
}

const done = 'data: [DONE]\n\n'

function streamed(to: ChatCodec, wire: string, from: ChatCodec = chat): Reading {
  const encode = { codec: to, call }
  return readStream(
    to,
    new ResponseStream({ ...options, scanner: new SseScanner(1 << 20), decoder: from, encode }),
    wire,
  )
}

const options = { maxFrameBytes: 1 << 20 } as const

function readStream(to: ChatCodec, stream: ResponseStream, wire: string): Reading {
  const forwarded = [stream.push(encodeUtf8(wire)), stream.end()].flatMap(({ forward }) => forward)
  const failure = { status: 502, message: 'cut', type: 'upstream_error', param: null, code: null }
  const failed = () =>
    (stream.failure(failure) ?? to.encodeStreamError(failure, call))
      .map(({ data }) => `data: ${data}\n\n`)
      .join('')
  const text =
    forwarded.map(decodeUtf8).join('') + (stream.outcome === 'complete' ? stream.trailer(counted) : failed())
  return { ...announcedIn(to.format as AnnouncingDialect, text), text }
}

/** The caller wants a stream, the upstream gave a whole response. */
function unstreamed(to: ChatCodec, body: string): Reading {
  const decoder = singleEventCodec(chat, to.callRules)
  const scanner = new BufferedBodyScanner(1 << 20)
  return readStream(
    to,
    new ResponseStream({ ...options, scanner, decoder, encode: { codec: to, call } }),
    body,
  )
}

function buffered(to: ChatCodec, body: string, from: ChatCodec = chat): Reading {
  const reading = translateResponse(body, from, to, call)
  if (!reading.ok) return { calls: [], terminal: 'error', text: reading.error.message }
  const text = reading.encode(counted)
  return { ...announcedInBody(to.format as AnnouncingDialect, JSON.parse(text)), text }
}

/** The same response in each way in which it may come. */
const ways: Readonly<Record<string, (to: ChatCodec, stated: Stated) => Reading>> = {
  streamed: (to, stated) => streamed(to, framesOf(stated, done)),
  buffered: (to, stated) => buffered(to, bodyOf(stated)),
  'streamed of a buffered response': (to, stated) => unstreamed(to, bodyOf(stated)),
}
const cells = dialects.flatMap((to) =>
  Object.keys(ways).map((way) => ({ to, way, name: `${to.format}, ${way}` })),
)

describe.each(cells)('a response for $name', ({ to, way }) => {
  const read = (stated: Stated) => (ways[way] as (typeof ways)[string])(to, stated)
  const shell = (text?: unknown) => [{ name: 'shell', ...(text !== undefined && { arguments: text }) }]
  const announced = (text = '{"cmd":"ls"}') => ({
    calls: [{ name: 'shell', arguments: text }],
    terminal: 'complete',
  })

  it.each(['tool_calls', 'stop', 'function_call', null])(
    'announces a whole call that ends with %s',
    (finish_reason) => {
      expect(read({ tool_calls: shell('{"cmd":"ls"}'), finish_reason })).toMatchObject(announced())
    },
  )

  it.each(['tool_calls', 'stop', null])('fails where a call that is cut ends with %s', (finish_reason) => {
    expect(read({ tool_calls: shell(half), finish_reason })).toMatchObject({ ...none, terminal: 'error' })
  })

  it.each(['length', 'content_filter'])('is incomplete where %s cuts a call', (finish_reason) => {
    for (const tool_calls of [shell(half), shell(''), shell()])
      expect(read({ tool_calls, finish_reason })).toMatchObject({ ...none, terminal: 'incomplete' })
  })

  it('announces the calls before the one that the limit cut', () => {
    const tool_calls = [...shell(''), ...shell('{"cmd":"ls"}'), ...shell(half)]
    const { calls, terminal } = read({ tool_calls, finish_reason: 'length' })
    expect(terminal).toBe('incomplete')
    // Chat Completions says of no single call that it is finished.
    const isReported = to !== chat || way === 'buffered'
    expect(calls.map(({ arguments: text }) => text)).toEqual(isReported ? ['{}', '{"cmd":"ls"}'] : [])
  })

  it.each([undefined, '', ' ', 'null', '""', '{}'])('announces a call without arguments for %j', (text) => {
    const { calls, terminal } = read({ tool_calls: shell(text), finish_reason: 'tool_calls' })
    expect(terminal).toBe('complete')
    expect(calls.map((each) => JSON.parse(each.arguments))).toEqual([{}])
  })

  it.each(['[1]', '"ls"', '7', 'true', '[]', '"{\\"cmd\\":\\"ls\\"}"'])(
    'announces no value but an object where the format takes no other: %s',
    (text) => {
      const fits: Readonly<Record<string, string>> = { '[]': '{}', '"{\\"cmd\\":\\"ls\\"}"': '{"cmd":"ls"}' }
      const expected = to.callRules.takesObjects ? fits[text] : text
      expect(read({ tool_calls: shell(text), finish_reason: 'tool_calls' })).toMatchObject(
        expected === undefined ? { ...none, terminal: 'error' } : announced(expected),
      )
    },
  )

  it('fails for arguments that are no JSON', () => {
    expect(read({ tool_calls: shell("{'cmd': 'ls'}"), finish_reason: 'tool_calls' }).calls).toEqual([])
  })

  it('ends a text without a reason as any other', () => {
    expect(read({ content: 'Hi', finish_reason: null })).toMatchObject({ ...none, terminal: 'complete' })
  })
})

describe.each(dialects)('a stream for $format', (to) => {
  it.each([
    ['a text', { content: 'Hi' }],
    ['a call', { tool_calls: [{ name: 'shell', arguments: half }] }],
    ['a call that is whole', { tool_calls: [{ name: 'shell', arguments: '{}' }] }],
    ['a call that only began', { tool_calls: [{ name: 'shell', arguments: '' }] }],
  ] as readonly (readonly [string, Stated])[])(
    'ends with an error alone where the bytes end inside of %s',
    (_, stated) => {
      expect(streamed(to, framesOf(stated, ''))).toMatchObject({ ...none, terminal: 'error' })
    },
  )

  it('never shows a call that only began', () => {
    const { text } = streamed(to, framesOf({ tool_calls: [{ name: 'shell', arguments: '' }] }, done))
    expect(text).not.toContain('shell')
  })

  it('keeps the order of content around a call whose arguments come late', () => {
    const events = [{ content: 'A' }, { tool_calls: [{ name: 'shell', arguments: '' }] }, { content: 'B' }]
    const wire = events.map((stated) => framesOf(stated, '')).join('')
    const later = framesOf({ tool_calls: [{ name: '', arguments: '{"cmd":"ls"}' }] }, '').replace(
      '"id":"c0"',
      '"id":""',
    )
    const end = framesOf({ finish_reason: 'tool_calls' }, done)
    const { calls, text } = streamed(to, wire + later + end)
    expect(calls).toEqual([{ name: 'shell', arguments: '{"cmd":"ls"}' }])
    if (to.format !== 'gemini') expect(text.indexOf('shell')).toBeLessThan(text.indexOf('B"'))
  })
})

describe('the words for a cut call', () => {
  const cut: Stated = { tool_calls: [{ name: 'shell', arguments: half }] }
  const limited: Stated = { ...cut, finish_reason: 'length' }

  it('are an error alone for Messages', () => {
    const { text } = streamed(messages, framesOf(cut, ''))
    expect(text).not.toContain('content_block_stop')
    expect(text).toContain('"type":"error"')
  })

  it('are max_tokens for Messages where the limit cut it, and its block stays open', () => {
    const { text } = streamed(messages, framesOf({ content: 'Hi', ...limited }, done))
    expect(text.match(/content_block_stop"/g)).toHaveLength(1)
    expect(text).toContain('"stop_reason":"max_tokens"')
    expect(text).toEndWith('data: {"type":"message_stop"}\n\n')
    expect(buffered(messages, bodyOf(limited)).text).toContain('"content":[]')
  })

  it('are a failed response alone for Responses', () => {
    const { text } = streamed(responses, framesOf(cut, ''))
    expect(text).not.toMatch(/function_call_arguments\.done|output_item\.done/)
    expect(text).toContain('response.failed')
  })

  it('are the status of item and response where the limit cut it', () => {
    for (const { text } of [
      streamed(responses, framesOf(limited, done)),
      buffered(responses, bodyOf(limited)),
    ]) {
      expect(text).toContain('"name":"shell","status":"incomplete"')
      expect(text).not.toMatch(/function_call_arguments\.done|"name":"shell","status":"completed"/)
      expect(text).toContain('"incomplete_details":{"reason":"max_output_tokens"}')
    }
  })

  it('hold nothing of the free text of a custom tool', () => {
    const stated: Stated = {
      tool_calls: [{ name: 'exec', arguments: '{"input":"rm -rf /srv' }],
      finish_reason: 'length',
    }
    for (const { text } of [
      streamed(responses, framesOf(stated, done)),
      buffered(responses, bodyOf(stated)),
    ]) {
      expect(text).toContain('"name":"exec","status":"incomplete","input":""')
      expect(text).not.toMatch(/output_item\.done|rm -rf/)
    }
  })

  it('say that reasoning is incomplete, too', () => {
    const wire = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: 'Hm' }, finish_reason: 'length' }] })}\n\n`
    expect(streamed(responses, wire + done).text).toMatch(/"type":"reasoning",.*"status":"incomplete"/)
  })
})

describe('a Messages stream that ends with message_stop', () => {
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
  const start = event('message_start', { message: { id: 'm', usage: { input_tokens: 1, output_tokens: 1 } } })
  const block = (content_block: object) => event('content_block_start', { index: 0, content_block })
  const input = (partial_json: string) =>
    event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } })
  const stop = event('message_stop', {})
  const tool = block({ type: 'tool_use', id: 't', name: 'shell', input: {} })
  const others = dialects.filter((to) => to !== messages)

  it.each(others)('inside of content is cut for $format', (to) => {
    for (const wire of [
      tool + input(half),
      tool,
      block({ type: 'text', text: 'Hi' }),
      block({ type: 'thinking', thinking: 'Hm' }),
    ])
      expect(streamed(to, start + wire + stop, messages)).toMatchObject({ ...none, terminal: 'error' })
  })

  it.each(others)('is incomplete for $format where the limit ends the block of a call', (to) => {
    const limit = event('message_delta', { delta: { stop_reason: 'max_tokens' } })
    const end = event('content_block_stop', { index: 0 })
    for (const stated of [input(half), ''])
      expect(streamed(to, start + tool + stated + end + limit + stop, messages)).toMatchObject({
        ...none,
        terminal: 'incomplete',
      })
  })

  it.each(others)('buffered has a call that the limit cut, for $format, whatever its input holds', (to) => {
    const stated = {
      type: 'message',
      content: [{ type: 'tool_use', id: 't', name: 'shell', input: { cmd: 'rm' } }],
    }
    const read = (stop_reason: string | null) =>
      buffered(to, JSON.stringify({ ...stated, stop_reason }), messages)
    expect(read('max_tokens')).toMatchObject({ ...none, terminal: 'incomplete' })
    for (const reason of ['tool_use', 'end_turn', null])
      expect(read(reason)).toMatchObject({ calls: [{ name: 'shell' }], terminal: 'complete' })
  })
})

describe('a matched stop sequence', () => {
  const named = { stop_reason: 'stop_sequence', stop_sequence: 'END' }
  const plain = { stop_reason: 'end_turn', stop_sequence: null }

  it.each([
    ['vLLM', { stop_reason: 'END' }, named],
    ['SGLang', { matched_stop: 'END' }, named],
    ['vLLM, of an end token', { stop_reason: 151645 }, plain],
    ['SGLang, of an end token', { matched_stop: 151645 }, plain],
    ['nobody', { stop_reason: null }, plain],
    ['another server, which means its own reason', { stop_reason: 'end_turn' }, plain],
    ['a gateway, whose sequence the caller did not set', { stop_reason: '<|im_end|>' }, plain],
  ])('is passed on to Messages where %s names it', (_, end, expected) => {
    const stated: Stated = { content: 'A B ', finish_reason: 'stop', ...end }
    for (const read of Object.values(ways))
      expect(read(messages, stated).text).toContain(JSON.stringify(expected).slice(1, -1))
  })

  it('is no reason beside a call or a limit', () => {
    const tool_calls = [{ name: 'shell', arguments: '{}' }]
    for (const read of Object.values(ways)) {
      const beside = (more: Stated) => read(messages, { stop_reason: 'END', ...more }).text
      expect(beside({ tool_calls, finish_reason: 'stop' })).toContain('"stop_reason":"tool_use"')
      expect(beside({ content: 'A', finish_reason: 'length' })).toContain('"stop_reason":"max_tokens"')
    }
  })
})

describe('a call whose value came wrapped', () => {
  const wrapped = '{"tollgate_value":{"cmd":"ls"'

  it.each(dialects.map((to) => [to.format, to] as const))(
    'is shown to callers of %s with nothing that its upstream did not say, and is not whole',
    (_, to) => {
      for (const text of [wrapped, `${wrapped}}`]) {
        const wire = framesOf({ tool_calls: [{ name: 'run', arguments: text }] }, '')
        const stream = new ResponseStream({
          scanner: new SseScanner(100_000),
          decoder: chat,
          encode: { codec: to, call },
          maxFrameBytes: 100_000,
        })
        const forward = [...stream.push(encodeUtf8(`${wire}${done}`)).forward, ...stream.end().forward]
        const visible = forward.map(decodeUtf8).join('')
        expect(visible).not.toMatch(/"(delta|arguments|partial_json)":","/)
        expect(stream.outcome).toBe('cut')
      }
    },
  )
})
