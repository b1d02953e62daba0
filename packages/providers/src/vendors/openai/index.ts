import { versionedUrl } from '../../endpoint-url.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import { isResponsesOnly } from '../../openai/openai-names.ts'
import type { ChannelTarget, HeaderMap, Target } from '../../provider.ts'
import { allModesBut } from '../../provider-row.ts'
import { openAiBilling } from '../../queries/balance.ts'
import { openAiVideo } from '../../video/openai-video.ts'

const video = openAiVideo((path, target) => ({
  url: versionedUrl(target.baseUrl, '/v1', `/videos${path}`),
  headers: organization(target),
}))

/** https://platform.openai.com/docs/api-reference */
export const openai = openAiCompatible({
  id: 'openai',
  serves: allModesBut('rerank'),
  codes: { moderation_blocked: 'content_policy' },
  responses: { only: hasResponsesOnly, compacts: true },
  balance: openAiBilling(({ baseUrl }) => versionedUrl(baseUrl, '/v1', '/dashboard/billing')),
  also: ['realtime'],
  headers: organization,
  tasks: { video: () => video },
})

function organization({ openaiOrganization }: ChannelTarget): HeaderMap {
  return openaiOrganization === '' ? {} : { 'openai-organization': openaiOrganization }
}

/** Recognises models that OpenAI itself serves by Responses alone: other hosts of these models may serve them otherwise. */
function hasResponsesOnly({ baseUrl, upstreamModel }: Target): boolean {
  return (baseUrl === '' || baseUrl.includes('api.openai.com')) && isResponsesOnly(upstreamModel)
}
