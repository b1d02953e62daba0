import { type Access, type AccessTokenScope, type Call, recentProofSeconds, roles } from '@tollgate/api'
import type { HeaderFields } from '@tollgate/http/server'
import { Refusal } from '../../lib/refusal.ts'
import { type AdmissionDependencies, admitToken } from '../../relay/admission.ts'
import { RelayError } from '../../relay/relay-error.ts'
import type { AccessTokens } from '../../users/auth/access-tokens.ts'
import type { AdminDuties } from '../../users/auth/admin-duties.ts'
import type { Sessions } from '../../users/auth/sessions.ts'
import type { Setup } from '../../users/setup.ts'
import type { DirectoryUser, UserDirectory } from '../../users/user-directory.ts'
import { presentedKey } from '../relay/caller-key.ts'
import type { Caller, KeyCaller } from './route.ts'

/** The sender of a request, before access is checked. */
export type Identity =
  | ({ readonly kind: 'user'; readonly user: DirectoryUser; readonly scope: AccessTokenScope } & Pick<
      Caller,
      'via' | 'provenAt'
    >)
  | { readonly kind: 'anonymous' }
  /** The request has an access token that belongs to no user. */
  | { readonly kind: 'unknown-token' }

/** The part of a call that says which role it needs. */
interface RoleGuarded {
  readonly access: RoleAccess
  readonly sessionOnly?: true | undefined
  readonly cookieOnly?: true | undefined
  readonly method: Call['method']
  readonly changes?: true | undefined
}

type RoleAccess = Exclude<Access, 'signature' | 'relay-key'>

interface Dependencies {
  readonly sessions: Pick<Sessions, 'find' | 'isCached'>
  readonly directory: Pick<UserDirectory, 'find'>
  readonly accessTokens: AccessTokens
  readonly setup: Pick<Setup, 'isDone'>
  readonly relayKeys: RelayKeys
  readonly duties: AdminDuties
}

const anonymous: Identity = { kind: 'anonymous' }

export function createGuard(deps: Dependencies) {
  const { sessions, directory, accessTokens, setup, relayKeys, duties } = deps

  async function bySession(sessionId: string): Promise<Identity> {
    const session = await sessions.find(sessionId)
    if (session === undefined) return anonymous
    const user = await directory.find(session.userId)
    if (user === undefined) return anonymous
    return { kind: 'user', user, via: 'session', scope: 'full', provenAt: session.provenAt }
  }

  async function byAccessToken(token: string): Promise<Identity> {
    const owner = await accessTokens.find(token)
    return owner === undefined
      ? { kind: 'unknown-token' }
      : { kind: 'user', ...owner, via: 'access-token', provenAt: 0 }
  }

  async function identify(headers: HeaderFields, sessionId: string | undefined): Promise<Identity> {
    const token = bearerToken(headers)
    if (sessionId === undefined && token === '') return anonymous
    // Before setup there are no users: an old cookie must not open an unfinished installation.
    if (!(await setup.isDone())) return anonymous
    const identity = sessionId === undefined ? anonymous : await bySession(sessionId)
    return identity.kind === 'anonymous' && token !== '' ? byAccessToken(token) : identity
  }

  return {
    /** Session first; an access token only where there is no session. Refuses when the database does not answer. */
    async identify(headers: HeaderFields, sessionId: string | undefined): Promise<Identity> {
      try {
        return await identify(headers, sessionId)
      } catch (cause) {
        throw new Refusal('database_unavailable', {}, { cause })
      }
    },
    /** Who calls with a relay API key; refuses as a relayed call would be refused. */
    admitKey: relayKeys.admit,
    /** Whether `identify` needs no read of the database for this session. */
    isCached: (sessionId: string | undefined): boolean =>
      sessionId !== undefined && sessions.isCached(sessionId),
    /** The caller, or a refusal that names the first condition they do not meet. */
    async admit(call: RoleGuarded, identity: Identity, sender: CallSender): Promise<Caller | undefined> {
      const { access, cookieOnly } = call
      if (access === 'public') return publicCaller(identity)
      const { headers, address } = sender
      const person = known(identity)
      const { user } = person
      if (!cookieOnly || headers.get('new-api-user') !== null) refuseWrongUserHeader(headers, user.id)
      if (user.status === 'banned') throw new Refusal('user_banned')
      duties.refuseAddress(user.role, address)
      if (roles[user.role] < minimumRole[access]) throw new Refusal('permission_denied')
      refuseWrongCredential(call, person)
      if (access !== 'user') await duties.refuseWithoutSecondFactor(user.id)
      return toCaller(person)
    },
  }
}

export type Guard = ReturnType<typeof createGuard>

/** Some calls take no access token, and those that change something only one of full scope. */
function refuseWrongCredential(call: RoleGuarded, { via, scope }: Person): void {
  if (call.sessionOnly && via !== 'session') throw new Refusal('session_required')
  if (scope === 'read' && changesSomething(call)) throw new Refusal('access_token_read_only')
}

/** The request as far as access looks at it. */
interface CallSender {
  readonly headers: HeaderFields
  /** Of the client. */
  readonly address: string
}

/** Whether a call does more than to read. */
export function changesSomething({ method, changes }: Pick<RoleGuarded, 'method' | 'changes'>): boolean {
  return method !== 'GET' || changes === true
}

const minimumRole = { user: roles.common, admin: roles.admin, root: roles.root } as const satisfies Record<
  Exclude<RoleAccess, 'public'>,
  number
>

function bearerToken(headers: HeaderFields): string {
  return (headers.get('authorization') ?? '').replace(/^bearer\s+/i, '').trim()
}

/** Public calls need no session; one that is present only identifies the user. */
function publicCaller(identity: Identity): Caller | undefined {
  if (identity.kind !== 'user' || identity.via !== 'session' || identity.user.status === 'banned')
    return undefined
  return toCaller(identity)
}

type Person = Extract<Identity, { kind: 'user' }>

function known(identity: Identity): Person {
  if (identity.kind === 'user') return identity
  throw new Refusal(identity.kind === 'unknown-token' ? 'access_token_invalid' : 'not_logged_in')
}

/**
 * The header cannot be set by another site's form, so it proves that the console (or a program) made the call, and
 * that a tab left open by one user does not act for the next.
 */
function refuseWrongUserHeader(headers: HeaderFields, userId: number): void {
  const claimed = headers.get('new-api-user')
  if (claimed === null || claimed.trim() === '') throw new Refusal('user_header_missing')
  if (!/^\d+$/.test(claimed.trim()) || Number(claimed) !== userId) throw new Refusal('user_header_mismatch')
}

function toCaller({ user: { id, username, role, group }, via, provenAt }: Person): Caller {
  return { userId: id, username, role, group, via, provenAt }
}

/** Finds who calls with a relay API key, by the same admission as relayed calls. */
export function createRelayKeys(admission: AdmissionDependencies) {
  return {
    /** Refuses without a key, and with one that a relayed call would be refused with. */
    async admit(headers: HeaderFields, address: string): Promise<KeyCaller> {
      try {
        const { tokenId, tokenName, user, group } = await admitToken(
          presentedKey(headers),
          { address },
          admission,
        )
        const { id: userId, username, role } = user
        return { tokenId, tokenName, userId, username, role, group, via: 'relay-key' }
      } catch (error) {
        throw error instanceof RelayError ? refusalOf(error) : error
      }
    },
  }
}

export type RelayKeys = ReturnType<typeof createRelayKeys>

function refusalOf({ status, publicMessage, cause }: RelayError): Refusal {
  if (status >= 500) return new Refusal('database_unavailable', {}, { cause })
  return new Refusal(status === 403 ? 'relay_key_not_allowed' : 'relay_key_invalid', {
    detail: publicMessage,
  })
}

/** What of the arguments of a call says whether it changes how an account is opened. */
interface Arguments {
  readonly body?: unknown
}

/** Whether this use of a call changes how an account is opened. */
export function opensAccounts({ recentProof }: Call, { body }: Arguments): boolean {
  if (recentProof === undefined) return false
  return recentProof === true || recentProof.forField === undefined || isFilled(body, recentProof.forField)
}

/**
 * The one place that keeps a stolen session or access token from changing how an account is opened: refuses callers who have
 * not proven recently who they are.
 */
export function refuseWithoutProof(call: Call, args: Arguments, caller: Caller, nowSeconds: number): void {
  if (!opensAccounts(call, args)) return
  if (caller.via !== 'session') throw new Refusal('session_required')
  if (nowSeconds - caller.provenAt <= recentProofSeconds || isProvenBy(call, args)) return
  throw new Refusal('recent_proof_required', { minutes: recentProofSeconds / 60 })
}

function isProvenBy({ recentProof }: Call, { body }: Arguments): boolean {
  const field = typeof recentProof === 'object' ? recentProof.provenBy : undefined
  return field !== undefined && isFilled(body, field)
}

function isFilled(body: unknown, field: string): boolean {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[field]
  return typeof value === 'string' && value !== ''
}
