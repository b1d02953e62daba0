import type { AccountRefusals } from './account-refusal.ts'
import { chineseAccounts } from './china.ts'
import { hostAccounts } from './hosts.ts'
import { vendorAccounts } from './vendors.ts'

const unknown: AccountRefusals = { outOfCredit: 'unknown', suspended: 'unknown', keyRefused: 'unknown' }

/** A server of the operator's own. */
const own: AccountRefusals = { outOfCredit: 'none', suspended: 'none', keyRefused: 'unknown' }

function all(names: string, refusals: AccountRefusals): Readonly<Record<string, AccountRefusals>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, refusals]))
}

/** Errors of each provider about an account, by the provider's id. */
export const accountTable: Readonly<Record<string, AccountRefusals>> = {
  ...vendorAccounts,
  ...chineseAccounts,
  ...hostAccounts,
  ...all('llamacpp lmstudio ollama sglang vllm xinference', own),
  ...all('aigc2d ails aiproxy aiproxy-library api2gpt custom ohmygpt openaimax', unknown),
  ...all(
    'deepinfra fastgpt hyperbolic lingyi moka nebius palm perplexity qihoo360 sambanova suno voyage',
    unknown,
  ),
}
