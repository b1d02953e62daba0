import { expect, it } from 'bun:test'
import { callersName, inCallersWords } from './callers-words.ts'
import { RequestFault } from './canonical/codec.ts'

it('names a field as the caller does', () => {
  const fault = new RequestFault('stop is not supported: why', 'stop', 'unsupported_parameter')
  const told = inCallersWords(fault, 'gemini')
  expect(told).toMatchObject({
    param: 'generationConfig.stopSequences',
    message: 'generationConfig.stopSequences is not supported: why',
    code: 'unsupported_parameter',
  })
  expect(inCallersWords(fault, 'openai-chat')).toBe(fault)
  const whole = new RequestFault('nests too deep', null, 'invalid_json')
  expect(inCallersWords(whole, 'gemini')).toBe(whole)
})

it.each([
  ['serviceTier', 'openai-chat', 'service_tier'],
  ['serviceTier', 'anthropic-messages', 'service_tier'],
  ['verbosity', 'openai-responses', 'text.verbosity'],
  ['seed', 'gemini', 'generationConfig.seed'],
  ['tools[2] (googleSearch)', 'gemini', 'tools (googleSearch)'],
  ['tools[0].functionDeclarations[1].response', 'gemini', 'tools[0].functionDeclarations[1].response'],
  ['messages[1].content[0]', 'gemini', 'contents'],
  ['messages[1].content[0]', 'anthropic-messages', 'messages[1].content[0]'],
  ['input[3] (web_search_call)', 'openai-responses', 'input[3] (web_search_call)'],
  ['constructor', 'gemini', 'constructor'],
])('calls %s of an encoder, for callers of %s, %s', (field, format, name) => {
  expect(callersName(field, format)).toBe(name)
})
