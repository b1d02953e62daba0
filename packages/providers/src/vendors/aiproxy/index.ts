import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { ChannelTarget } from '../../provider.ts'
import { allModes } from '../../provider-row.ts'
import { amount, balanceAt, field } from '../../queries/balance.ts'
import { rowOf } from '../../table.ts'

/** Accounts are asked at another host than models. */
const accountsUrl = 'https://aiproxy.io'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const aiproxy = openAiCompatible({
  id: 'aiproxy',
  serves: allModes,
  balance: balanceAt(accountOverview, (body) => amount(field(body, 'data', 'totalPoints'))),
})

function accountOverview({ baseUrl, key }: ChannelTarget) {
  // A key goes to no other host than its channel's own.
  const host = baseUrl === rowOf('aiproxy').baseUrl ? accountsUrl : baseUrl
  return { method: 'GET' as const, url: `${host}/api/report/getUserOverview`, headers: { 'api-key': key } }
}
