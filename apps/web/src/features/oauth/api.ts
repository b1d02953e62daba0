import { mutationOptions } from '@tanstack/react-query'
import { type CallInput, calls } from '@tollgate/api'
import { request, requestWithMessage } from '../../lib/api-client.ts'
import type { OAuthProvider } from './search.ts'

interface ProviderCallback {
  readonly provider: OAuthProvider
  readonly query: CallInput<typeof calls.oauth.github>['query']
}

const callbacks = {
  github: calls.oauth.github,
  oidc: calls.oauth.oidc,
  linuxdo: calls.oauth.linuxdo,
} as const

export const finishSignIn = mutationOptions({
  mutationFn: ({ provider, query }: ProviderCallback) => requestWithMessage(callbacks[provider], { query }),
  meta: { silent: true },
})

/** The same answer as a proof of who is logged in already. */
export const finishProof = mutationOptions({
  mutationFn: ({ provider, query }: ProviderCallback) =>
    request(calls.proofs.byCodeProvider, { params: { provider }, body: query }),
  meta: { silent: true },
})
