import { describe, expect, it } from 'bun:test'
import { chatCodecs } from '../../codecs.ts'
import type { JsonObject } from '../../json/value.ts'
import { modelTurnOf } from './inspect.ts'

const model = 'gpt-5.6-sol'
const schema = { type: 'object', properties: {} }
const user = { role: 'user', content: 'Hello' }
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]

type Format = keyof typeof chatCodecs
interface Written {
  readonly plain: JsonObject
  readonly functions: JsonObject
  readonly hosted: JsonObject
  readonly effort: JsonObject
}

/** The same wishes in the words of each format. */
const written: Readonly<Record<Format, Written>> = {
  'openai-chat': {
    plain: { model, messages: [user] },
    functions: { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] },
    hosted: { tools: [{ type: 'web_search' }] },
    effort: { reasoning_effort: 'high' },
  },
  'openai-responses': {
    plain: { model, input: 'Hello' },
    functions: { tools: [{ type: 'function', name: 'f', parameters: schema }] },
    hosted: { tools: [{ type: 'web_search' }] },
    effort: { reasoning: { effort: 'high' } },
  },
  'anthropic-messages': {
    plain: { model, max_tokens: 8192, messages: [user] },
    functions: { tools: [{ name: 'f', input_schema: schema }] },
    hosted: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    effort: { thinking: { type: 'enabled', budget_tokens: 8000 } },
  },
  gemini: {
    plain: { contents },
    functions: { tools: [{ functionDeclarations: [{ name: 'f', parameters: schema }] }] },
    hosted: { tools: [{ googleSearch: {} }] },
    effort: { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } },
  },
}

describe.each(Object.keys(written) as readonly Format[])('the turn of a call of %s', (format) => {
  const { plain, functions, hosted, effort } = written[format]
  const turnOf = (body: JsonObject) =>
    modelTurnOf(format, body, () => chatCodecs[format].decodeRequest(body, { model, stream: false }))

  it('tells functions of the caller from tools of a vendor', () => {
    expect(turnOf(plain)).toEqual({ offersFunctions: false, effort: '' })
    expect(turnOf({ ...plain, ...functions })).toEqual({ offersFunctions: true, effort: '' })
    expect(turnOf({ ...plain, ...hosted }).offersFunctions).toBe(false)
  })

  it('has the effort, however the format says it', () => {
    expect(turnOf({ ...plain, ...functions, ...effort })).toEqual({ offersFunctions: true, effort: 'high' })
  })
})

it('counts the functions of the callers of 2023', () => {
  const body = { ...written['openai-chat'].plain, functions: [{ name: 'f', parameters: schema }] }
  expect(modelTurnOf('openai-chat', body, () => chatCodecs['openai-chat'].decodeRequest(body, {}))).toEqual({
    offersFunctions: true,
    effort: '',
  })
})
