import { otherKinds } from './other-kinds.ts'
import { outOfCredit } from './out-of-credit.ts'
import { outOfService } from './out-of-service.ts'
import { overflowsOfHosts } from './overflows-of-hosts.ts'
import { overflowsOfVendors } from './overflows-of-vendors.ts'
import type { Refusal } from './refusal.ts'
import { reportedWords } from './reported-words.ts'

export { accountMarkers, type Refusal } from './refusal.ts'

/** Refusals of upstreams as they send them, with what they mean. Synthetic, from the forms in `errors/forms`. */
export const refusals: readonly Refusal[] = [
  ...outOfCredit,
  ...outOfService,
  ...overflowsOfVendors,
  ...overflowsOfHosts,
  ...otherKinds,
  ...reportedWords,
]
