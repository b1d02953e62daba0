import { versionedUrl } from '../../endpoint-url.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import { isReasonedToolTurn, isResponsesOnly } from '../../openai/openai-names.ts'
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
  responses: {
    only: (target) => isOpenAi(target) && isResponsesOnly(target.upstreamModel),
    alone: (target, turn) => isOpenAi(target) && isReasonedToolTurn(target.upstreamModel, turn),
    compacts: true,
  },
  balance: openAiBilling(({ baseUrl }) => versionedUrl(baseUrl, '/v1', '/dashboard/billing')),
  also: ['realtime'],
  headers: organization,
  tasks: { video: () => video },
})

function organization({ openaiOrganization }: ChannelTarget): HeaderMap {
  return openaiOrganization === '' ? {} : { 'openai-organization': openaiOrganization }
}

/** Recognises OpenAI itself: other hosts of its models may serve them otherwise. */
function isOpenAi({ baseUrl }: Target): boolean {
  return baseUrl === '' || baseUrl.includes('api.openai.com')
}
