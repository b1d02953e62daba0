import type { Services } from '../../../../services.ts'
import type { CreateAccount } from '../../create-account.ts'
import type { EmailCodes } from '../../email-verification.ts'
import type { KnownIdentities } from '../../known-identities.ts'
import type { Credentials } from '../credentials.ts'
import type { AttemptLimiter } from '../guesses/attempt-limiter.ts'
import type { OpenLogin } from '../login-flow.ts'
import { createBindings } from './bindings.ts'
import { createDirectIdentities } from './direct-sign-in.ts'
import { createFlows } from './flows.ts'
import {
  createOAuthClient,
  gitHub,
  linuxDo,
  type ProviderAddresses,
  providerAddresses,
} from './oauth-clients.ts'
import { createOAuthSignIn } from './oauth-sign-in.ts'
import { createOidc } from './oidc.ts'
import { createSignIn } from './sign-in.ts'

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'vault' | 'clock'> {
  readonly attempts: AttemptLimiter
  readonly credentials: Pick<Credentials, 'writeOwn' | 'withdrawOwn'>
  readonly knownIdentities: Pick<KnownIdentities, 'note'>
  readonly createAccount: CreateAccount
  readonly openLogin: OpenLogin
  readonly emailCodes: Pick<EmailCodes, 'redeem'>
  /** The providers' own by default. */
  readonly addresses?: ProviderAddresses
}

/** Sign-in through other services, and the bindings of accounts. */
export function createSignInParts(deps: Dependencies) {
  const { settings, addresses = providerAddresses } = deps
  const flows = createFlows(deps)
  const signIn = createSignIn(deps)
  const clients = {
    github: createOAuthClient(() => gitHub(settings, addresses.github)),
    oidc: createOidc(settings),
    linuxdo: createOAuthClient(() => linuxDo(settings, addresses.linuxDo)),
  }
  return {
    flows,
    signIn,
    oauthSignIn: createOAuthSignIn({ settings, flows, clients, signIn }),
    identities: createDirectIdentities(deps),
    bindings: createBindings(deps),
  }
}

export type SignInParts = ReturnType<typeof createSignInParts>
