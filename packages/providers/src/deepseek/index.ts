import { amount, balanceAt, field } from '../balance.ts'
import { openAiCompatible } from '../openai-compatible.ts'

/** Completions (fill in the middle) live under `/beta`. https://api-docs.deepseek.com */
export const deepseek = openAiCompatible({
  id: 'deepseek',
  defaultBaseUrl: 'https://api.deepseek.com',
  root: (_target, mode) => (mode === 'completions' ? '/beta' : mode === 'models' ? '' : '/v1'),
  modes: ['chat', 'completions'],
  streamOptions: true,
  // https://api-docs.deepseek.com/api/get-user-balance
  balance: balanceAt(
    ({ baseUrl }) => ({ method: 'GET', url: `${withoutVersion(baseUrl)}/user/balance`, headers: {} }),
    yuanIn,
  ),
})

function withoutVersion(baseUrl: string): string {
  return baseUrl.replace(/\/(v1|beta)$/, '')
}

/** An account may have a wallet per currency; the vendor's own one is in CNY. */
function yuanIn(body: unknown): number | undefined {
  const wallets = field(body, 'balance_infos')
  if (!Array.isArray(wallets)) return undefined
  const yuan: unknown = wallets.find((wallet) => field(wallet, 'currency') === 'CNY')
  return amount(field(yuan, 'total_balance'))
}
