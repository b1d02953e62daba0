import { openAiBilling } from '../balance.ts'
import { fillModel } from '../endpoint-url.ts'
import { allModes, openAiCompatible } from '../openai-compatible.ts'
import type { ChannelTarget, Provider, Target } from '../provider.ts'
import { realtimeEndpoint, realtimeOperation, sessionUrl } from '../realtime-operation.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'

const chatPath = /\/chat\/completions(?=$|\?)/

const compatible = openAiCompatible({
  id: 'custom',
  defaultBaseUrl: '',
  modes: allModes,
  codec: taggedReasoning,
  streamOptions: true,
  url: (_mode, target) => fillModel(target.baseUrl.trim(), target.upstreamModel),
})

/** Any upstream that takes OpenAI's bodies at an address of its own: the base URL is the whole address. */
export const custom: Provider = {
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
