import { amount, balanceAt, field } from '../balance.ts'
import { allModes, openAiCompatible } from '../openai-compatible.ts'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const aigc2d = openAiCompatible({
  id: 'aigc2d',
  defaultBaseUrl: 'https://api.aigc2d.com',
  modes: allModes,
  streamOptions: true,
  balance: balanceAt(
    ({ baseUrl }) => ({ method: 'GET', url: `${baseUrl}/dashboard/billing/credit_grants`, headers: {} }),
    (body) => amount(field(body, 'total_available')),
  ),
})
