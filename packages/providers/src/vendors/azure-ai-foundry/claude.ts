import { anthropicMessages } from '@tollgate/formats'
import { chatOperation } from '../../define-provider.ts'
import { endpointUrl } from '../../endpoint-url.ts'
import { operationsByHost } from '../../families/claude/by-address.ts'
import { betaHeader } from '../../families/claude/host-betas.ts'
import { uncounted } from '../../families/claude.ts'
import type { EndpointCall, Operation, Target, UpstreamEndpoint } from '../../provider.ts'

const defaultVersion = '2023-06-01'

/** https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry */
const messages = chatOperation({
  codec: anthropicMessages,
  endpoint: (target, call) => endpointOf(target, '/v1/messages', call),
})

const countTokens: Operation = {
  ...messages,
  quirks: () => uncounted,
  endpoint: (target, call) => endpointOf(target, '/v1/messages/count_tokens', call),
}

const messagesAt = operationsByHost(messages)
const countTokensAt = operationsByHost(countTokens)

/** Claude's deployments of a resource; `undefined` for a deployment whose name does not say Claude. */
export function claudeChat(target: Target): Operation | undefined {
  return isClaudeDeployment(target) ? messagesAt('foundry', target) : undefined
}

/** Counts the tokens of prompts for these deployments. */
export function claudeCounting(target: Target): Operation | undefined {
  return isClaudeDeployment(target) ? countTokensAt('foundry', target) : undefined
}

function isClaudeDeployment({ upstreamModel }: Target): boolean {
  return upstreamModel.toLowerCase().includes('claude')
}

function endpointOf(
  { baseUrl, upstreamModel }: Target,
  path: string,
  { query, headers }: EndpointCall,
): UpstreamEndpoint {
  return {
    url: `${endpointUrl(baseUrl, '/anthropic', path)}${query}`,
    headers: {
      'anthropic-version': headers['anthropic-version'] ?? defaultVersion,
      ...betaHeader('foundry', headers, upstreamModel),
    },
  }
}
