import { describe, expect, it } from 'bun:test'
import { providers } from '../../registry.ts'
import { targetOf } from '../../test-support/target.ts'
import { claudeHostAt } from './by-address.ts'

describe('claudeHostAt', () => {
  it.each([
    ['https://r.services.ai.azure.com/anthropic', 'foundry'],
    ['https://R.Services.AI.Azure.com:443/anthropic/', 'foundry'],
    ['https://r.openai.azure.com/anthropic', 'foundry'],
    ['https://bedrock-mantle.us-east-1.api.aws/anthropic', 'bedrock'],
    // Anthropic runs its platform on AWS itself.
    ['https://aws-external-anthropic.us-east-1.api.aws', undefined],
    ['https://api.anthropic.com', undefined],
    ['https://api.deepseek.com/anthropic', undefined],
    ['https://evil.example/.services.ai.azure.com', undefined],
    ['', undefined],
  ] as const)('knows who serves Claude at %p: %p', (baseUrl, host) => {
    expect(claudeHostAt(targetOf('anthropic', { baseUrl }))).toBe(host)
  })
})

describe('a channel of Anthropic at the address of a host', () => {
  const anthropic = providers.find(({ id }) => id === 'anthropic')
  const headers = { 'anthropic-beta': 'context-1m-2025-08-07,fast-mode-2026-02-01,later-2099-01-01' }

  it.each([
    ['https://r.services.ai.azure.com/anthropic', 'context-1m-2025-08-07,later-2099-01-01'],
    ['https://bedrock-mantle.us-east-1.api.aws/anthropic', 'context-1m-2025-08-07'],
    ['https://api.deepseek.com/anthropic', headers['anthropic-beta']],
  ])('%s gets the betas that it takes', (baseUrl, expected) => {
    const target = targetOf('anthropic', { baseUrl, upstreamModel: 'claude-opus-5' })
    const operation = anthropic?.operation('chat', target, 'anthropic-messages')
    const endpoint = operation?.endpoint(target, { stream: false, query: '', headers })
    expect(endpoint?.url).toBe(`${baseUrl}/v1/messages`)
    expect(endpoint?.headers['anthropic-beta']).toBe(expected)
  })
})
