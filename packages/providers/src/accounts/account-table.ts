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

/** Refusals by which providers say what is wrong with an account, by their ids, as far as anybody documents or reported it. */
export const accountTable: Readonly<Record<string, AccountRefusals>> = {
  ...vendorAccounts,
  ...chineseAccounts,
  ...hostAccounts,
  ...all('llamacpp lmstudio ollama sglang vllm xinference', own),
}

/** Returns how a provider says what is wrong with an account: `unknown` in every column where nobody says. */
export function accountOf(id: string): AccountRefusals {
  return accountTable[id] ?? unknown
}
