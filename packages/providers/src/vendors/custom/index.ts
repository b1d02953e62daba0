import type { ProviderShape } from '../../define-provider.ts'
import { fillModel } from '../../endpoint-url.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import { realtimeEndpoint, realtimeOperation, sessionUrl } from '../../openai/operations.ts'
import type { ChannelTarget, Target } from '../../provider.ts'
import { allModes } from '../../provider-row.ts'
import { openAiBilling } from '../../queries/balance.ts'

const chatPath = /\/chat\/completions(?=$|\?)/

const compatible = openAiCompatible({
  id: 'custom',
  serves: allModes,
  lacks: ['reasoning_content'],
  // It may be LiteLLM itself.
  thinkingBlocks: true,
  url: (_mode, target) => fillModel(target.baseUrl.trim(), target.upstreamModel),
})

/** Any upstream that accepts OpenAI's bodies at an address of its own: the base URL is the complete address. */
export const custom: ProviderShape = {
  ...compatible,
  realtime: realtimeOperation((target, call) =>
    realtimeEndpoint(sessionUrl(realtimeUrl(target), target, call), {}, target, call),
  ),
  models: { decode: () => [], ...compatible.models, endpoint: modelsEndpoint },
  balance: openAiBilling((target) => siblingOf(target, '/dashboard/billing')?.replace(/\?.*$/, '')),
}

/** Only an address that ends as OpenAI's does has a sibling that can be guessed. */
function siblingOf({ baseUrl }: ChannelTarget, path: string): string | undefined {
  if (!chatPath.test(baseUrl) || baseUrl.includes('{model}')) return undefined
  return baseUrl.trim().replace(chatPath, path)
}

/** An address that is a chat's has a sibling; any other is taken to be the session's own. */
function realtimeUrl(target: Target): string {
  return siblingOf(target, '/realtime') ?? fillModel(target.baseUrl.trim(), target.upstreamModel)
}

function modelsEndpoint(target: ChannelTarget) {
  const url = siblingOf(target, '/models')
  return url === undefined ? undefined : { url, headers: {} }
}
