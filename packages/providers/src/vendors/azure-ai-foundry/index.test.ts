import { describe, expect, it } from 'bun:test'
import type { EndpointCall } from '../../provider.ts'
import { targetOf } from '../../test-support/target.ts'
import { azureAiFoundry } from './index.ts'

const baseUrl = 'https://r.services.ai.azure.com'
const target = (upstreamModel: string) => targetOf('azure-ai-foundry', { baseUrl, upstreamModel })
const call: EndpointCall = { stream: true, query: '?beta=true', headers: {} }

describe('Azure AI Foundry', () => {
  it.each(['claude-opus-5', 'Claude-prod', 'my-claude'])('asks %s in the Messages API', (model) => {
    const operation = azureAiFoundry.operation('chat', target(model), 'openai-chat')
    expect(operation?.format).toBe('anthropic-messages')
    expect(operation?.endpoint(target(model), call)).toEqual({
      url: `${baseUrl}/anthropic/v1/messages?beta=true`,
      headers: { 'anthropic-version': '2023-06-01' },
    })
    expect(azureAiFoundry.counting?.(target(model))?.endpoint(target(model), call).url).toBe(
      `${baseUrl}/anthropic/v1/messages/count_tokens?beta=true`,
    )
  })

  it('sends those betas of the caller that it takes, and its version', () => {
    const headers = {
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'context-1m-2025-08-07,fast-mode-2026-02-01,oauth-2025-04-20,later-2099-01-01',
    }
    const operation = azureAiFoundry.operation('chat', target('claude-opus-5'), 'anthropic-messages')
    expect(operation?.endpoint(target('claude-opus-5'), { ...call, headers }).headers).toEqual({
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'context-1m-2025-08-07,later-2099-01-01',
    })
  })

  it('asks every other model in OpenAI’s form, with the key of the resource', () => {
    const operation = azureAiFoundry.operation('chat', target('DeepSeek-V3.1'), 'anthropic-messages')
    expect(operation?.format).toBe('openai-chat')
    expect(azureAiFoundry.counting?.(target('DeepSeek-V3.1'))).toBeUndefined()
    const { credential } = azureAiFoundry
    expect(credential.kind === 'headers' && credential.headers(target('claude-opus-5'))).toEqual({
      'api-key': 'k',
    })
  })
})
