import { expect, it } from 'bun:test'
import { inCallersWords } from './callers-words.ts'
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
