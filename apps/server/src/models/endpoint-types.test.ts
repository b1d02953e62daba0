import { describe, expect, it } from 'bun:test'
import { providerFor } from '@tollgate/providers'
import type { RoutedChannel } from '../channels/routing/routing-types.ts'
import { routedChannel } from '../channels/test-support/routed-channel.ts'
import { endpointTypesOf } from './endpoint-types.ts'

let id = 0
function channel(
  type: number,
  models: readonly string[],
  fields: Partial<RoutedChannel> = {},
): RoutedChannel {
  const provider = providerFor(type)
  if (provider === undefined) throw new Error(`no provider has the type ${type}`)
  id += 1
  return routedChannel({ id, type, provider, models: new Set(models), ...fields })
}

const typesOf = (...channels: RoutedChannel[]) => Object.fromEntries(endpointTypesOf(channels))

describe('the endpoint types of models', () => {
  it('have the format of the upstream first, and OpenAI’s for every model that chats', () => {
    expect(typesOf(channel(14, ['claude-sonnet-4-5']))).toEqual({
      'claude-sonnet-4-5': ['anthropic', 'openai'],
    })
    expect(typesOf(channel(24, ['gemini-2.5-pro']))).toEqual({ 'gemini-2.5-pro': ['gemini', 'openai'] })
    expect(typesOf(channel(1, ['gpt-4o']))['gpt-4o']).toContain('openai')
  })

  it('are of the model’s kind where that is not to chat', () => {
    expect(typesOf(channel(1, ['text-embedding-3-small']))).toEqual({
      'text-embedding-3-small': ['embeddings'],
    })
    expect(typesOf(channel(1, ['dall-e-3']))['dall-e-3']?.[0]).toBe('image-generation')
  })

  it('are those of all channels that serve a model, by the upstream’s name for it, and of no other', () => {
    const modelMapping = new Map([['mine', 'claude-sonnet-4-5']])
    const channels = [channel(14, ['mine'], { modelMapping }), channel(24, ['mine'], { status: 'disabled' })]
    expect(typesOf(...channels)).toEqual({ mine: ['anthropic', 'openai'] })
  })
})
