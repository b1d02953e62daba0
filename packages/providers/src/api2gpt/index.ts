import { amount, balanceAt, field } from '../balance.ts'
import { allModes, openAiCompatible } from '../openai-compatible.ts'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const api2gpt = openAiCompatible({
  id: 'api2gpt',
  defaultBaseUrl: 'https://api.api2gpt.com',
  modes: allModes,
  streamOptions: true,
  balance: balanceAt(
    ({ baseUrl }) => ({ method: 'GET', url: `${baseUrl}/dashboard/billing/credit_grants`, headers: {} }),
    (body) => amount(field(body, 'total_remaining')),
  ),
})
