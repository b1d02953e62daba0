import { describe, expect, it } from 'bun:test'
import { readChatRequest } from '../request.ts'
import { applyEdits, type EditTarget, editsFor, parseParamOverride } from './edits.ts'

const messages = '"messages":[{"role":"user","content":"caf\\u00e9"}]'

/** The body as the upstream gets it. */
function sent(body: string, target: Partial<EditTarget> = {}): string {
  const reading = readChatRequest(body, { maxDepth: 32 })
  if (!reading.ok) throw new Error(reading.error.message)
  const { request } = reading
  return applyEdits(
    request,
    editsFor(request, { upstreamModel: request.model, streamOptions: true, ...target }),
  )
}

describe('editsFor', () => {
  it('changes nothing when nothing must change, and then gives the very text', () => {
    const body = `{ "model" : "gpt-4o",\n ${messages}, "seed": 1.0 }`
    expect(sent(body)).toBe(body)
    const asking = `{"model":"m",${messages},"stream":true,"stream_options":{ "include_usage" : true }}`
    expect(sent(asking)).toBe(asking)
  })

  it('writes the mapped model name and nothing else', () => {
    const body = `{ "model" : "gpt-4o",\n ${messages}, "seed": 1.0 }`
    expect(sent(body, { upstreamModel: 'my "deployment"' })).toBe(
      `{ "model" : "my \\"deployment\\"",\n ${messages}, "seed": 1.0 }`,
    )
  })

  it('asks for usage where the caller did not, beside the options that the caller set', () => {
    expect(sent(`{"model":"m",${messages},"stream":true}`)).toBe(
      `{"model":"m",${messages},"stream":true,"stream_options":{"include_usage":true}}`,
    )
    expect(
      sent(`{"model":"m",${messages},"stream":true,"stream_options":{"include_obfuscation":false}}`),
    ).toBe(
      `{"model":"m",${messages},"stream":true,"stream_options":{"include_obfuscation":false,"include_usage":true}}`,
    )
    expect(
      sent(`{"model":"m",${messages},"stream":true,"stream_options":{"include_usage":false}}`),
    ).toEndWith('"stream_options":{"include_usage":true}}')
    expect(sent(`{"model":"m",${messages},"stream":true,"stream_options":null}`)).toEndWith(
      '"stream_options":{"include_usage":true}}',
    )
  })

  it('asks for no usage where nothing streams', () => {
    const body = `{"model":"m",${messages},"stream":false}`
    expect(sent(body)).toBe(body)
  })

  it('keeps stream_options from upstreams that refuse them', () => {
    const body = `{"model":"m",${messages},"stream":true}`
    expect(sent(body, { streamOptions: false })).toBe(body)
    expect(
      sent(`{"model":"m","stream_options":{"include_usage":true},${messages}}`, { streamOptions: false }),
    ).toBe(`{"model":"m",${messages}}`)
  })

  it('drops limits of zero', () => {
    expect(sent(`{"model":"m","max_tokens":0,${messages},"max_completion_tokens":0}`)).toBe(
      `{"model":"m",${messages}}`,
    )
  })

  it('gives param_override the last word, but not over stream', () => {
    const paramOverride = { temperature: 0, stream: true, top_p: null, metadata: { a: [1] } }
    expect(sent(`{"model":"m",${messages},"temperature":1}`, { paramOverride })).toBe(
      `{"model":"m",${messages},"temperature":0,"top_p":null,"metadata":{"a":[1]}}`,
    )
  })

  it('overrides a key that the caller repeated in all its places', () => {
    expect(sent(`{"model":"m","user":"a",${messages},"user":"b"}`, { paramOverride: { user: 'c' } })).toBe(
      `{"model":"m","user":"c",${messages}}`,
    )
  })

  it('leaves stream_options to an operator who overrides them', () => {
    const body = `{"model":"m",${messages},"stream":true}`
    expect(sent(body, { paramOverride: { stream_options: { include_usage: false } } })).toEndWith(
      '"stream_options":{"include_usage":false}}',
    )
  })

  it("applies the upstream's quirks over the model name and under param_override", () => {
    const quirks = () =>
      new Map([
        ['model', '"short"'],
        ['seed', undefined],
        ['top_p', '0.5'],
      ])
    expect(
      sent(`{"model":"m",${messages},"seed":1}`, {
        upstreamModel: 'long',
        quirks,
        paramOverride: { top_p: 1 },
      }),
    ).toBe(`{"model":"short",${messages},"top_p":1}`)
  })
})

describe('parseParamOverride', () => {
  it('takes a JSON object and nothing else', () => {
    expect(parseParamOverride('{"temperature":0}')).toEqual({ temperature: 0 })
    for (const text of ['', '[]', 'null', '{', '5']) expect(parseParamOverride(text)).toBeUndefined()
  })
})
