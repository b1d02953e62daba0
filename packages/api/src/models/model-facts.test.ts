import { describe, expect, it } from 'bun:test'
import { modelFacts } from './index.ts'

describe('the facts of a model', () => {
  it('are found by its name, its dated name, and the names of platforms', () => {
    const gpt = modelFacts('gpt-4o')
    expect(gpt).toEqual({
      vendor: 'OpenAI',
      contextSize: 128_000,
      maxOutputTokens: 16_384,
      capabilities: ['chat', 'tools', 'vision'],
      released: '2024-05-13',
    })
    expect(modelFacts('openai/gpt-4o')).toEqual(gpt as NonNullable<typeof gpt>)
    for (const name of ['gpt-4o-2024-08-06', 'openai/gpt-4o-2024-11-20'])
      expect<object>({ ...modelFacts(name), released: gpt?.released }).toEqual({ ...gpt })
    expect(modelFacts('claude-3-7-sonnet-20250219-thinking')?.vendor).toBe('Anthropic')
    expect(modelFacts('meta/llama-4-scout-17b-16e-instruct-maas')?.vendor).toBe('Meta')
  })

  it('are those of the release where releases differ', () => {
    expect(modelFacts('gpt-4o-2024-05-13')?.maxOutputTokens).toBe(4096)
    expect(modelFacts('gpt-3.5-turbo-0613')?.contextSize).toBe(4096)
  })

  it('are undefined for a model outside the table', () => {
    for (const name of ['my-own-model', '', 'gpt-4o-but-not-really', '2024-05-13', '/'])
      expect(modelFacts(name)).toBeUndefined()
  })

  it('leave out what the provider does not publish', () => {
    expect(modelFacts('whisper-1')).toEqual({ vendor: 'OpenAI', capabilities: ['transcription'] })
  })
})
