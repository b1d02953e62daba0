import { amount, balanceAt, field } from '../balance.ts'
import { allModes, openAiCompatible } from '../openai-compatible.ts'
import type { ChannelTarget } from '../provider.ts'

const defaultBaseUrl = 'https://api.aiproxy.io'
/** Accounts are asked at another host than models. */
const accountsUrl = 'https://aiproxy.io'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const aiproxy = openAiCompatible({
  id: 'aiproxy',
  defaultBaseUrl,
  modes: allModes,
  streamOptions: true,
  balance: balanceAt(accountOverview, (body) => amount(field(body, 'data', 'totalPoints'))),
})

function accountOverview({ baseUrl, key }: ChannelTarget) {
  // A key goes to no other host than its channel's own.
  const host = baseUrl === defaultBaseUrl || baseUrl === '' ? accountsUrl : baseUrl
  return { method: 'GET' as const, url: `${host}/api/report/getUserOverview`, headers: { 'api-key': key } }
}
