import type { Clock } from '@tollgate/base'
import type { Vault } from '../lib/crypto.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import type { AttemptLimiter } from '../users/auth/attempt-limiter.ts'
import type { OpenLogin } from '../users/auth/login-flow.ts'
import type { CreateAccount } from '../users/create-account.ts'
import type { EmailCodes } from '../users/email-codes.ts'
import type { KnownIdentities } from '../users/known-identities.ts'
import { type Bindings, createBindings } from './bindings.ts'
import { createFlows, type Flows } from './flows.ts'
import { createGitHub, type GitHubAddresses, githubAddresses } from './github.ts'
import { createLinuxDo, linuxDoAddress } from './linuxdo.ts'
import { createOAuthSignIn, type OAuthSignIn } from './oauth-sign-in.ts'
import { createOidc } from './oidc.ts'
import { createOtherSignIn, type OtherSignIn } from './other-sign-in.ts'
import { createSignIn } from './sign-in.ts'

/** Where the providers are whose addresses nobody sets. */
export interface ProviderAddresses {
  readonly github: GitHubAddresses
  readonly linuxDo: string
}

export interface SignInParts {
  readonly flows: Flows
  readonly oauthSignIn: OAuthSignIn
  readonly otherSignIn: OtherSignIn
  readonly bindings: Bindings
}

interface Dependencies {
  readonly store: Store
  readonly settings: SettingsReader
  readonly vault: Vault
  readonly tries: AttemptLimiter
  readonly clock: Clock
  readonly knownIdentities: Pick<KnownIdentities, 'note'>
  readonly createAccount: CreateAccount
  readonly openLogin: OpenLogin
  readonly emailCodes: Pick<EmailCodes, 'redeem'>
  readonly addresses?: ProviderAddresses
}

const providerAddresses: ProviderAddresses = { github: githubAddresses, linuxDo: linuxDoAddress }

/** Everything about sign-in through others. */
export function createSignInParts(deps: Dependencies): SignInParts {
  const { settings, addresses = providerAddresses } = deps
  const flows = createFlows(deps)
  const signIn = createSignIn(deps)
  const clients = {
    github: createGitHub({ settings, addresses: addresses.github }),
    oidc: createOidc({ settings }),
    linuxdo: createLinuxDo({ settings, address: addresses.linuxDo }),
  }
  return {
    flows,
    oauthSignIn: createOAuthSignIn({ settings, flows, clients, signIn }),
    otherSignIn: createOtherSignIn({ ...deps, signIn }),
    bindings: createBindings(deps),
  }
}
