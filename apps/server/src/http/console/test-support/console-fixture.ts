import { type Envelope, tokenCreateBody } from '@tollgate/api'
import { type Clock, secondsOf } from '@tollgate/base'
import type { Mail, Mailer } from '../../../accounts/mail/mailer.ts'
import { createFindKey } from '../../../accounts/tokens/find-key.ts'
import { createFirstKey } from '../../../accounts/tokens/first-key.ts'
import { createFreezeKey } from '../../../accounts/tokens/freeze-key.ts'
import { createKeyAddresses } from '../../../accounts/tokens/key-addresses.ts'
import { createRotateKey } from '../../../accounts/tokens/rotate-key.ts'
import { createTokenDirectory } from '../../../accounts/tokens/token-directory.ts'
import { createTokens } from '../../../accounts/tokens/tokens.ts'
import { createAccounts } from '../../../accounts/users/create-account.ts'
import { createKnownIdentities } from '../../../accounts/users/known-identities.ts'
import { accountPieces } from '../../../accounts/users/leave/export-account.ts'
import { createAttemptLimiter } from '../../../accounts/users/login/guesses/attempt-limiter.ts'
import { createKnownDevices } from '../../../accounts/users/login/guesses/known-devices.ts'
import { createSignInParts } from '../../../accounts/users/login/identity-providers/create-sign-in-parts.ts'
import type { ProviderAddresses } from '../../../accounts/users/login/identity-providers/oauth-clients.ts'
import { createResetSecondFactor } from '../../../accounts/users/login/second-factor.ts'
import { createSecurityAlerts } from '../../../accounts/users/login/security-alerts.ts'
import { createSecurityEventPages } from '../../../accounts/users/login/security-event-pages.ts'
import { createSecurityEvents } from '../../../accounts/users/login/security-events.ts'
import type { Device } from '../../../accounts/users/login/sessions.ts'
import { createInviting } from '../../../accounts/users/manage/invite.ts'
import { createManyUsers } from '../../../accounts/users/manage/many-users.ts'
import { createRecipientLimit } from '../../../accounts/users/recipient-limit.ts'
import { ledgerInMemory } from '../../../accounts/users/test-support/ledger-in-memory.ts'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { openTestStore, sharedTestStore } from '../../../accounts/users/test-support/test-store.ts'
import { createUsers } from '../../../accounts/users/users.ts'
import { createEventBus } from '../../../lib/async/event-bus.ts'
import { createVault, type Vault } from '../../../lib/crypto.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createDeliveryQueue } from '../../../lib/outbound/delivery-queue.ts'
import { createAuditLog } from '../../../records/audit-log/audit-log.ts'
import { getAuditRecord } from '../../../records/audit-log/audit-pages.ts'
import { createEventLog } from '../../../records/logs/event-log.ts'
import type { Settings } from '../../../settings/settings.ts'
import { settingsInMemory } from '../../../settings/test-support/settings-in-memory.ts'
import type { NewUser, User } from '../../../store/accounts/users.ts'
import type { ChangeEvents } from '../../../store/change-events.ts'
import { newUser } from '../../../store/contract/samples.ts'
import type { Store } from '../../../store/store.ts'
import { createGuard, createRelayKeys } from '../../callers/guard.ts'
import { createClientAddresses } from '../../client-address.ts'
import { createRequestIds } from '../../request-id.ts'
import {
  ownerRoutes,
  sessionRoutes,
  setupRoutes,
  userRoutes,
  visitorRoutes,
} from '../accounts/account-routes.ts'
import { invitationRoutes } from '../accounts/invitation-routes.ts'
import { keyRoutes } from '../accounts/key-routes.ts'
import { oauthRoutes } from '../accounts/oauth-routes.ts'
import { ownOverviewRoutes } from '../accounts/own-overview-routes.ts'
import { passkeyRoutes } from '../accounts/passkey-routes.ts'
import { proofRoutes } from '../accounts/proof-routes.ts'
import { secondFactorRoutes } from '../accounts/second-factor-routes.ts'
import { securityRoutes } from '../accounts/security-routes.ts'
import { tokenRoutes } from '../accounts/token-routes.ts'
import { userAdminRoutes } from '../accounts/user-admin-routes.ts'
import { createConsoleApp } from '../console-app.ts'
import { createIgnoredReports } from '../ignored/ignored-reports.ts'
import { createCriticalLimit } from '../limits/critical-limit.ts'
import { createRateLimits, type RateLimitConfig } from '../limits/rate-limits.ts'
import type { ConsoleRoute } from '../route.ts'
import { auditLogRoutes } from '../system/audit-log-routes.ts'

const generousLimits: RateLimitConfig = {
  GLOBAL_API_RATE_LIMIT_ENABLE: true,
  GLOBAL_API_RATE_LIMIT: 10_000,
  GLOBAL_API_RATE_LIMIT_DURATION: 60,
  CRITICAL_RATE_LIMIT: 10_000,
  CRITICAL_RATE_LIMIT_DURATION: 60,
}

export interface FixtureParts {
  readonly store: Store
  readonly ledger: ReturnType<typeof ledgerInMemory>
  readonly settings: Settings
  readonly vault: Vault
  readonly clock: Clock
}

export interface FixtureOptions {
  readonly limits?: Partial<RateLimitConfig>
  readonly settings?: Readonly<Record<string, string>>
  readonly trustedProxies?: readonly string[]
  /** Beside the routes of setup, users and tokens; may be made of what the fixture stands on. */
  readonly routes?: readonly ConsoleRoute[] | ((parts: FixtureParts) => readonly ConsoleRoute[])
  /** Opens an installation before its first-run setup. */
  readonly fresh?: boolean
  /** Local servers in the place of GitHub and LINUX DO. */
  readonly addresses?: ProviderAddresses
  /** Not the store that tests of a file share. */
  readonly ownStore?: boolean
  /** Each user who registers gets a key. */
  readonly firstKeys?: boolean
  /** Mailer in place of one that stores every mail in `mails`. */
  readonly mailer?: Mailer
  /** Origin of Turnstile; nobody answers by default. */
  readonly turnstileOrigin?: string
}

export interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Address of the peer. */
  readonly from?: string
}

export interface Responded {
  readonly status: number
  readonly headers: Headers
  readonly envelope: Envelope
}

/** A whole console in process: real use cases, guard and edge, with everything they stand on within reach. */
export async function consoleFixture(options: FixtureOptions = {}) {
  const time = { ms: 1_800_000_000_000 }
  const clock = { now: () => time.ms }
  const logger = createLogger('silent')
  const vault = createVault('a master key for tests, long enough to be one')
  const untrustedProxies: string[] = []
  const bus = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const store = await (options.fresh || options.ownStore ? openTestStore() : sharedTestStore())
  const ledger = ledgerInMemory(store)
  const settings = await settingsInMemory(options.settings, store)
  const auditLog = createAuditLog({ store, clock })
  const eventLog = createEventLog({ usage: store.usage, clock })
  const services = { store, settings, vault, bus, clock, logger, auditLog, eventLog }
  const attempts = createAttemptLimiter({ ...services, config: { ...generousLimits, ...options.limits } })
  const knownIdentities = createKnownIdentities(services)
  const createAccount = createAccounts({ ...services, knownIdentities })
  const mails: Mail[] = []
  const mailer = options.mailer ?? {
    isConfigured: true,
    lastFailure: undefined,
    send: async (mail: Mail) => void mails.push(mail),
  }
  const deliveries = createDeliveryQueue({ logger })
  const securityEvents = createSecurityEvents(services)
  const alerts = createSecurityAlerts({ ...services, mailer, deliveries, securityEvents })
  const tokens = createTokens({ ...services, ledger, events: bus, maxTokens: 100 })
  const users = createUsers({
    ...services,
    ledger,
    mailer,
    deliveries,
    attempts,
    alerts,
    securityEvents,
    createAccount,
    ...(options.firstKeys && { giveFirstKey: createFirstKey({ tokens, logger }) }),
    monotonic: clock,
    passwords: quickPasswords,
    version: '0.0.0-test',
    turnstileOrigin: options.turnstileOrigin ?? 'http://127.0.0.1:9',
  })
  const keyAddresses = createKeyAddresses(services)
  const relayKeys = createRelayKeys({
    presented: keyAddresses.note,
    tokens: createTokenDirectory({
      ...{ store, events: bus, vault },
      nowSeconds: () => Math.floor(time.ms / 1000),
    }),
    users: users.directory,
    ledger,
    nowSeconds: () => Math.floor(time.ms / 1000),
  })
  const addresses = createClientAddresses({
    trustedProxies: options.trustedProxies ?? [],
    serverAddress: () => settings.current.ServerAddress,
    onUntrustedProxy: (address) => untrustedProxies.push(address),
  })
  const signIn = createSignInParts({
    ...services,
    attempts,
    knownIdentities,
    createAccount,
    credentials: users.credentials,
    openLogin: users.loginFlow.open,
    emailCodes: users.emailCodes,
    ...(options.addresses && { addresses: options.addresses }),
  })
  if (!options.fresh) await store.setups.markDone('0.0.0-test', 0)
  const manyUsers = createManyUsers({ ...services, ledger })
  const freezeKey = createFreezeKey(services)
  const findKey = createFindKey({ ...services, ledger, addresses: keyAddresses })
  const routes = [
    ...setupRoutes(users),
    ...visitorRoutes(users),
    ...ownerRoutes(users),
    ...userRoutes({
      users,
      ledger,
      securityEvents,
      modelsOf: async ({ group }) => [`${group}-model`, 'shared-model'],
    }),
    ...userAdminRoutes({
      ...{ ...services, users, ledger, alerts, createAccount, manyUsers },
      accountFile: (file) => accountPieces(store, file),
      passwords: quickPasswords,
    }),
    ...invitationRoutes({
      inviting: createInviting({
        ...{ ...services, createAccount, mailer, deliveries, passwords: quickPasswords },
        credentials: users.credentials,
        limit: createRecipientLimit('invitation', services),
      }),
    }),
    ...auditLogRoutes({
      store,
      revert: async (actor, id, consent) =>
        manyUsers.takeBack(actor, await getAuditRecord({ store }, actor, id), consent),
    }),
    ...tokenRoutes({ tokens, settings, rotateKey: createRotateKey(services) }),
    ...keyRoutes({ findKey, freezeKey }),
    ...ownOverviewRoutes({
      users,
      tokens,
      ledger,
      addresses,
      store,
      clock,
      refusedUsers: { ofUser: async () => null },
    }),
    ...oauthRoutes({ settings, users, ...signIn }),
    ...secondFactorRoutes({ users, resetSecondFactor: createResetSecondFactor({ ...services, alerts }) }),
    ...passkeyRoutes({ users, settings, bindings: signIn.bindings }),
    ...proofRoutes({ users, settings, ...signIn }),
    ...sessionRoutes({ users, securityEvents }),
    ...securityRoutes({ users, securityEvents, pages: createSecurityEventPages({ store }), clock }),
  ]
  const others =
    typeof options.routes === 'function'
      ? options.routes({ store, ledger, settings, vault, clock })
      : options.routes
  const rateLimits = { ...generousLimits, ...options.limits }
  const limits = createRateLimits(rateLimits, clock)
  const app = createConsoleApp({
    routes: [...routes, ...(others ?? [])],
    guard: createGuard({ ...users, relayKeys }),
    limits,
    critical: createCriticalLimit({
      own: limits.critical,
      tries: store.oneTimeSecrets,
      config: rateLimits,
      clock,
    }),
    alerts,
    auditLog,
    devices: createKnownDevices({ vault, clock }),
    nowSeconds: secondsOf(clock),
    ignored: createIgnoredReports(logger, clock),
    addresses,
    nextRequestId: createRequestIds(clock),
    node: { isOpen: true },
    logger,
  })

  async function raw(method: string, path: string, { body, headers = {}, from = '192.0.2.1' }: Sent = {}) {
    const init = { method, headers, ...(body !== undefined && { body: bodyOf(body) }) }
    return app.request(path, init, { sender: { peerAddress: from, headers: new Headers(headers) } })
  }

  async function send(method: string, path: string, sent?: Sent): Promise<Responded> {
    const response = await raw(method, path, sent)
    return {
      status: response.status,
      headers: response.headers,
      envelope: await envelopeOf(response),
    }
  }

  return {
    app,
    store,
    ledger,
    settings,
    users,
    tokens,
    bus,
    vault,
    time,
    /** Proxies that were warned of. */
    untrustedProxies,
    /** Mails that were sent, oldest first. */
    mails,
    routes,
    raw,
    send,
    createUser: (fields: Partial<NewUser> = {}): Promise<User> => store.users.create(newUser(fields)),
    /** A key of the user, as callers present it. */
    async createKey({ id, group }: Pick<User, 'id' | 'group'>, fields: object = {}): Promise<string> {
      const body = tokenCreateBody.parse({ name: 'laptop', unlimited_quota: true, ...fields })
      const { key } = await tokens.create({ userId: id, group }, body)
      return `sk-${key}`
    },
    /** The user's session in a browser that has just logged in. */
    sessionOf: async ({ id }: Pick<User, 'id'>, device?: Device): Promise<string> =>
      users.sessions.create(await users.getUser(id), device),
    /** The system access token, made in a session of its own. */
    async accessTokenOf({ id }: Pick<User, 'id'>): Promise<string> {
      const user = await users.getUser(id)
      return users.accessTokens.replace({ user, sessionId: await users.sessions.create(user) })
    },
    /** Headers of a console in which the user is logged in. */
    async loggedIn(user: Pick<User, 'id'>): Promise<Record<string, string>> {
      return {
        cookie: `__Host-session=${await users.sessions.create(await users.getUser(user.id))}`,
        'new-api-user': String(user.id),
      }
    },
  }
}

function bodyOf(body: unknown) {
  const isSendable = body instanceof Uint8Array || body instanceof FormData || body instanceof URLSearchParams
  if (isSendable || typeof body === 'string') return body
  return JSON.stringify(body)
}

/** `undefined` for a body that is not an envelope. */
async function envelopeOf(response: Response): Promise<Envelope> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return (isJson ? await response.json() : {}) as Envelope
}

export type ConsoleFixture = Awaited<ReturnType<typeof consoleFixture>>
