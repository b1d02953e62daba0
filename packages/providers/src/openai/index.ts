import { openAiBilling } from '../balance.ts'
import { versionedUrl } from '../endpoint-url.ts'
import { allModes, openAiCompatible } from '../openai-compatible.ts'
import { openAiVideo } from '../openai-video.ts'
import type { ChannelTarget, HeaderMap, Provider, Target } from '../provider.ts'
import { isResponsesOnly, reasoningFields, responsesFields } from '../quirks.ts'

const defaultBaseUrl = 'https://api.openai.com'

const compatible = openAiCompatible({
  id: 'openai',
  defaultBaseUrl,
  modes: allModes.filter((mode) => mode !== 'rerank'),
  streamOptions: true,
  codeKinds: { moderation_blocked: 'content_policy' },
  quirks: reasoningFields,
  responses: { path: '/responses', only: hasResponsesOnly, quirks: responsesFields, compacts: true },
  balance: openAiBilling(({ baseUrl }) => versionedUrl(baseUrl, '/v1', '/dashboard/billing')),
  realtime: '/realtime',
  headers: organization,
})

const video = openAiVideo((path, target) => ({
  url: versionedUrl(target.baseUrl || defaultBaseUrl, '/v1', `/videos${path}`),
  headers: organization(target),
}))

export const openai: Provider = { ...compatible, tasks: { video: () => video } }

function organization({ openaiOrganization }: ChannelTarget): HeaderMap {
  return openaiOrganization === '' ? {} : { 'openai-organization': openaiOrganization }
}

/** At OpenAI itself: who hosts these models elsewhere may serve them as others. */
function hasResponsesOnly({ baseUrl, upstreamModel }: Target): boolean {
  return (baseUrl === '' || baseUrl.includes('api.openai.com')) && isResponsesOnly(upstreamModel)
}
