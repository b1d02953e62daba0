import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChatCodec, EncodeContext } from '../canonical/codec.ts'
import { chatCodecs } from '../codecs.ts'
import { decodeErrorBody } from '../errors/decode-error.ts'
import { anyResponse } from '../test-support/arbitraries.ts'
import { usageOf } from '../usage.ts'
import { readResponse, translateResponse } from './response-body.ts'

const call: EncodeContext = {
  model: 'asked',
  responseId: 'r1',
  createdAt: 5,
  includeUsage: true,
  estimatedInputTokens: 1,
}
const codecs: readonly ChatCodec[] = Object.values(chatCodecs)
const pairs = codecs.flatMap((from) =>
  codecs.map((to) => ({ from, to, name: `${from.format} → ${to.format}` })),
)
const charged = usageOf({ inputTokens: 8, outputTokens: 9 })

describe.each(pairs)('convertAnswer $name', ({ from, to }) => {
  it('says the same response, with the usage that is charged', () => {
    fc.assert(
      fc.property(anyResponse, (stated) => {
        const body = JSON.stringify(from.encodeResponse(stated, call))
        const converted = translateResponse(body, from, to, call)
        if (!converted.ok) throw new Error(converted.error.message)
        expect(converted.usage).toEqual(stated.usage as never)
        const reading = to.decodeResponse(JSON.parse(converted.encode(charged)))
        if (!reading.ok) throw new Error(reading.error.message)
        expect(reading.response.candidates).toEqual(stated.candidates)
        expect(reading.response.usage).toEqual(charged)
      }),
      { numRuns: 50 },
    )
  })

  it('tells a failure and its kind, as the provider knows it', () => {
    const error = {
      status: 401,
      message: 'no',
      type: 'authentication_error',
      param: null,
      code: 'invalid_api_key',
    }
    const failed = JSON.stringify(from.encodeError(error))
    expect(translateResponse(failed, from, to, call)).toMatchObject({
      ok: false,
      error: { kind: 'unauthorized' },
    })
    for (const body of ['', '<html>', '{}', '[]', 'null'])
      expect(translateResponse(body, from, to, call)).toMatchObject({ ok: false })
    const page = '<html><body>Log in</body></html>'
    const known = decodeErrorBody({ status: 200, headers: {}, body: page })
    expect(translateResponse(page, from, to, call, () => known)).toEqual({ ok: false, error: known })
    const own = translateResponse(failed, from, to, call, () => ({
      kind: 'quota',
      status: 402,
      message: '',
      type: '',
      code: '',
      param: null,
    }))
    expect(own).toMatchObject({ ok: false, error: { kind: 'quota' } })
  })
})

describe.each(codecs.map((codec) => ({ codec, name: codec.format })))('readAnswer of $name', ({ codec }) => {
  it('gives usage and text, and no usage that cannot be', () => {
    const parts = [{ type: 'text', text: 'Hello' }] as const
    const stated = (outputTokens: number) => {
      const usage = usageOf({ inputTokens: 4, outputTokens })
      const candidates = [{ index: 0, parts, stop: { reason: 'stop' as const } }]
      return JSON.stringify(
        codec.encodeResponse({ id: '', model: 'm', createdAt: 1, candidates, usage }, call),
      )
    }
    const counted = readResponse(stated(3), codec)
    if (!counted.ok) throw new Error(counted.error.message)
    expect(counted.usage).toEqual(usageOf({ inputTokens: 4, outputTokens: 3 }))
    expect(counted.delivered()).toEqual({ text: 'Hello', overflowBytes: 0, toolCalls: 0 })
    expect(readResponse(stated(0), codec)).toMatchObject({ ok: true, usage: undefined })
    expect(readResponse('{"error":{"message":"x"}}', codec)).toMatchObject({ ok: false })
  })
})
