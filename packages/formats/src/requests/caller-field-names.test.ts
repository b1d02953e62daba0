import { expect, it } from 'bun:test'
import { RequestFault } from '../canonical/codec.ts'
import type { ChatRequest } from '../canonical/request.ts'
import { openAiChat } from '../openai-chat/codec.ts'
import { callerFieldName, withCallerFieldName } from './caller-field-names.ts'

const request: ChatRequest = {
  model: 'm',
  stream: false,
  messages: [],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}

it('names a field as the caller does', () => {
  const fault = new RequestFault('stop is not supported: why', 'stop', 'unsupported_parameter')
  const reported = withCallerFieldName(fault, 'gemini', request)
  expect(reported).toMatchObject({
    param: 'generationConfig.stopSequences',
    message: 'generationConfig.stopSequences is not supported: why',
    code: 'unsupported_parameter',
  })
  expect(withCallerFieldName(fault, 'openai-chat', request)).toBe(fault)
  const complete = new RequestFault('nests too deep', null, 'invalid_json')
  expect(withCallerFieldName(complete, 'gemini', request)).toBe(complete)
})

it.each([
  ['serviceTier', 'openai-chat', 'service_tier'],
  ['serviceTier', 'anthropic-messages', 'service_tier'],
  ['verbosity', 'openai-responses', 'text.verbosity'],
  ['seed', 'gemini', 'generationConfig.seed'],
  ['input[3] (web_search_call)', 'openai-responses', 'input[3] (web_search_call)'],
  ['constructor', 'gemini', 'constructor'],
  ['response_format (pattern)', 'openai-chat', 'response_format (pattern)'],
  ['response_format (pattern)', 'openai-responses', 'text.format (pattern)'],
  ['response_format (pattern)', 'anthropic-messages', 'output_config.format (pattern)'],
  ['response_format (pattern)', 'gemini', 'generationConfig.responseSchema (pattern)'],
])('calls %s of an encoder, for callers of %s, %s', (field, format, name) => {
  expect(callerFieldName(field, format, request)).toBe(name)
})

it.each([
  ['tools[2] (googleSearch)', 'gemini', 'tools (googleSearch)'],
  ['messages[1].content[0]', 'gemini', 'contents'],
  ['messages', 'openai-responses', 'input'],
  ['messages[1].content[0]', 'anthropic-messages', 'messages'],
])('leaves the count out of %s where its place is not known', (field, format, name) => {
  expect(callerFieldName(field, format, request)).toBe(name)
})

it('leaves what the format of the caller has alone as the caller wrote it', () => {
  const fields = { 'tools[0].functionDeclarations[1].response': {}, 'messages[1].content[0]': {} }
  const retained: ChatRequest = { ...request, vendor: { format: 'gemini', fields } }
  for (const field of Object.keys(fields)) expect(callerFieldName(field, 'gemini', retained)).toBe(field)
})

it('names the field by which a caller of Chat Completions asked for reasoning', () => {
  const nameOf = (fields: object) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'a' }], ...fields }
    const read = openAiChat.decodeRequest(body, {})
    return [
      callerFieldName('reasoning', 'openai-chat', read),
      callerFieldName('budgetTokens', 'openai-chat', read),
    ]
  }
  expect(nameOf({ thinking: { type: 'enabled' } })).toEqual(['thinking', 'thinking'])
  expect(nameOf({ enable_thinking: true })).toEqual(['enable_thinking', 'enable_thinking'])
  expect(nameOf({ reasoning_effort: 'low' })).toEqual(['reasoning_effort', 'reasoning.max_tokens'])
})
