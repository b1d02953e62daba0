import {
  type Access,
  type AccessTokenScope,
  acts,
  type Call,
  type CallPart,
  mayUsePart,
  partsOf,
  proofConditionOf,
  recentProofSeconds,
  roles,
} from '@tollgate/api'
import { optionAsksForProof } from '@tollgate/api/settings'
import type { HeaderFields } from '@tollgate/http/server'
import type { AccessTokens } from '../../accounts/users/login/access-tokens.ts'
import type { AdminDuties } from '../../accounts/users/login/admin-duties.ts'
import type { Sessions } from '../../accounts/users/login/sessions.ts'
import type { ConsoleViews } from '../../accounts/users/manage/console-views.ts'
import type { Setup } from '../../accounts/users/setup.ts'
import type { DirectoryUser, UserDirectory } from '../../accounts/users/user-directory.ts'
import { type AdmissionDependencies, admitToken } from '../../gateway/relay/admission.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Caller, KeyCaller } from './caller.ts'
import { presentedKey } from './presented-key.ts'

/**
 * The sender of a request, before access is checked. It says how to count the request and no more: who it is, the guard
 * alone tells, by letting them through a door.
 */
export type Identity =
  | { readonly kind: 'user'; readonly userId: number; readonly via: Caller['via'] }
  | { readonly kind: 'anonymous' }
  /** The request has an access token that belongs to no user. */
  | { readonly kind: 'unknown-token' }

/** A sender who is known, with what they may do; only this module reads it off an identity. */
interface Person extends Pick<Caller, 'via' | 'provenAt'> {
  readonly user: DirectoryUser
  readonly scope: AccessTokenScope
  /** The one who sees the console as the user does: their calls count as theirs, and the duties of administrators are theirs. */
  readonly viewer?: DirectoryUser
}

/** Call of the table, or path of the relay that takes a session, which a role opens. */
export interface Door {
  readonly access: RoleAccess
  /** Part of administrators to which the door belongs. */
  readonly part?: CallPart | undefined
  readonly sessionOnly?: true | undefined
  readonly cookieOnly?: true | undefined
  readonly recentProof: Call['recentProof']
}

type RoleAccess = Exclude<Access, 'signature' | 'relay-key'>

interface Dependencies {
  readonly sessions: Pick<Sessions, 'find' | 'isCached'>
  readonly views: Pick<ConsoleViews, 'find'>
  readonly directory: Pick<UserDirectory, 'find'>
  readonly accessTokens: AccessTokens
  readonly setup: Pick<Setup, 'isDone'>
  readonly relayKeys: RelayKeys
  readonly duties: AdminDuties
}

const anonymous: Identity = { kind: 'anonymous' }

/** The one place where a session or an access token becomes a user: every door asks here, with the same rules. */
export function createGuard(deps: Dependencies) {
  const { sessions, views, directory, accessTokens, setup, relayKeys, duties } = deps
  const people = new WeakMap<Identity, Person>()

  function identityOf(person: Person): Identity {
    const { id: userId } = person.viewer ?? person.user
    const identity: Identity = { kind: 'user', userId, via: person.via }
    people.set(identity, person)
    return identity
  }

  /** The user header of a view names another user than the session's: one whom the session may see as. */
  async function bySession(sessionId: string, headers: HeaderFields): Promise<Identity> {
    const session = await sessions.find(sessionId)
    if (session === undefined) return anonymous
    const user = await directory.find(session.userId)
    if (user === undefined) return anonymous
    const claimed = Number(headers.get('new-api-user') ?? user.id)
    const seen =
      claimed === user.id || !Number.isSafeInteger(claimed)
        ? undefined
        : await views.find(sessionId, user, claimed)
    if (seen !== undefined)
      return identityOf({ user: seen, via: 'view', scope: 'read', provenAt: 0, viewer: user })
    return identityOf({ user, via: 'session', scope: 'full', provenAt: session.provenAt })
  }

  async function byAccessToken(token: string): Promise<Identity> {
    const owner = await accessTokens.find(token)
    return owner === undefined
      ? { kind: 'unknown-token' }
      : identityOf({ ...owner, via: 'access-token', provenAt: 0 })
  }

  async function identify(headers: HeaderFields, sessionId: string | undefined): Promise<Identity> {
    const token = bearerToken(headers)
    if (sessionId === undefined && token === '') return anonymous
    // Before setup there are no users: an old cookie must not open an unfinished installation.
    if (!(await setup.isDone())) return anonymous
    const identity = sessionId === undefined ? anonymous : await bySession(sessionId, headers)
    return identity.kind === 'anonymous' && token !== '' ? byAccessToken(token) : identity
  }

  function known(identity: Identity): Person {
    const person = people.get(identity)
    if (person !== undefined) return person
    throw new Refusal(identity.kind === 'unknown-token' ? 'access_token_invalid' : 'not_logged_in')
  }

  /** The person before a guarded door, or a refusal that names the first condition they do not meet. */
  async function pass(door: Door, identity: Identity, { headers, address }: Sender): Promise<Person> {
    const { access, cookieOnly } = door
    const person = known(identity)
    const { user } = person
    refuseActOfView(door, person)
    if (needsUserHeader(cookieOnly, person) || headers.get('new-api-user') !== null)
      refuseWrongUserHeader(headers, user.id)
    if (user.status === 'banned') throw new Refusal('user_banned')
    duties.refuseAddress(person.viewer?.role ?? user.role, address)
    if (roles[user.role] < minRole[access]) throw new Refusal('permission_denied')
    if (access === 'admin') refuseWithoutPart(door, user)
    refuseWrongCredential(door, person)
    if (access === 'admin' || access === 'root')
      await duties.refuseWithoutSecondFactor(person.viewer?.id ?? user.id)
    return person
  }

  /**
   * Public calls need no session; one that is present only identifies the user, and a user who may not pass is a visitor.
   * Where the call would change that user's account, they are refused instead.
   */
  function visitor(door: Door, identity: Identity, { address }: Sender): Caller | undefined {
    const person = people.get(identity)
    if (person === undefined || person.via === 'access-token' || person.user.status === 'banned')
      return undefined
    refuseActOfView(door, person)
    try {
      duties.refuseAddress((person.viewer ?? person.user).role, address)
    } catch (refusal) {
      if (proofConditionOf(door) !== undefined) throw refusal
      return undefined
    }
    return toCaller(person)
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
    /** Finds the caller of a relay API key; refuses as a relayed call would be refused. */
    admitKey: relayKeys.admit,
    /** Decides whether `identify` needs no read of the database for this session. */
    isCached: (sessionId: string | undefined): boolean =>
      sessionId !== undefined && sessions.isCached(sessionId),
    /** The caller, or a refusal that names the first condition they do not meet. */
    async admit(door: Door, identity: Identity, sender: Sender): Promise<Caller | undefined> {
      if (door.access === 'public') return visitor(door, identity, sender)
      return toCaller(await pass(door, identity, sender))
    },
    /** The user behind a session at a door outside of the console's calls, by the same rules. */
    admitUser: async (door: Door, identity: Identity, sender: Sender): Promise<DirectoryUser> =>
      (await pass(door, identity, sender)).user,
  }
}

export type Guard = ReturnType<typeof createGuard>

/** Administrators pass where the door is of a part of theirs; a door that names no part is root's. */
function refuseWithoutPart({ part }: Door, user: DirectoryUser): void {
  if (mayUsePart(user, part)) return
  throw new Refusal('admin_part_missing', { parts: part === undefined ? '' : partsOf(part) })
}

/** Refuses a view at every door that acts, before any other condition of the door. */
function refuseActOfView(door: Door, { via }: Person): void {
  if (via === 'view' && acts(door)) throw new Refusal('view_read_only')
}

/** Refuses an access token at doors that take none, and one of a reading scope at doors that act. */
function refuseWrongCredential(door: Door, { via, scope }: Person): void {
  if (door.sessionOnly && via === 'access-token') throw new Refusal('session_required')
  if (scope === 'read' && acts(door)) throw new Refusal('access_token_read_only')
}

/** The request as far as access looks at it. */
interface Sender {
  readonly headers: HeaderFields
  /** Address of the client. */
  readonly address: string
}

const minRole = {
  public: roles.common,
  user: roles.common,
  admin: roles.admin,
  root: roles.root,
} as const satisfies Record<RoleAccess, number>

function bearerToken(headers: HeaderFields): string {
  return (headers.get('authorization') ?? '').replace(/^bearer\s+/i, '').trim()
}

/**
 * Decides whether a person must send the user header: an access token names its owner, and no browser sends it unasked; a cookie proves
 * too little, unless a provider sent the browser.
 */
function needsUserHeader(cookieOnly: true | undefined, { via }: Person): boolean {
  return via === 'session' && cookieOnly !== true
}

/**
 * Refuses a wrong user header. Another site's form cannot set it, so it proves that the console (or a program) made the call, and that
 * a tab left open by one user does not act for the next.
 */
function refuseWrongUserHeader(headers: HeaderFields, userId: number): void {
  const claimed = headers.get('new-api-user')
  if (claimed === null || claimed.trim() === '') throw new Refusal('user_header_missing')
  if (!/^\d+$/.test(claimed.trim()) || Number(claimed) !== userId) throw new Refusal('user_header_mismatch')
}

function toCaller({ user: { id, username, role, parts, group }, via, scope, provenAt }: Person): Caller {
  return { userId: id, username, role, parts, group, via, scope, provenAt }
}

/** Finds who reads the figures of a relay API key, by the same admission as relayed calls. */
export function createRelayKeys(admission: AdmissionDependencies) {
  return {
    /** Refuses without a key, and with one that is no key of ours, or switched off: its calls read what the key did. */
    async admit(headers: HeaderFields, address: string, query = ''): Promise<KeyCaller> {
      try {
        const { tokenId, tokenName, user, group } = await admitToken(
          presentedKey(headers, { query }),
          'figures',
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

/** Arguments of a call that decide whether it changes how an account is opened. */
interface Arguments {
  readonly body?: unknown
}

/** Decides whether this use of a call demands a recent proof before it is handled. */
export function opensAccounts(call: Call, { body }: Arguments): boolean {
  const condition = proofConditionOf(call)
  if (condition === undefined || condition === true) return condition === true
  if ('byOption' in condition) return optionsIn(body).some(optionAsksForProof)
  // The handler finds the effect.
  if ('forEffect' in condition) return false
  const { forField, forValues } = condition
  if (forField === undefined) return true
  const value = textIn(body, forField)
  return forValues === undefined ? value !== '' : forValues.includes(value)
}

/**
 * The one place that keeps a stolen session or access token from what carries an account: refuses callers who have not
 * proven recently who they are.
 */
export function refuseWithoutProof(call: Call, args: Arguments, caller: Caller, nowSeconds: number): void {
  if (!opensAccounts(call, args)) return
  if (isProvenBy(call, args)) refuseProgram(caller)
  else requireProof(caller, nowSeconds)
}

/** Refuses a caller who has not proven recently who they are, and a program, which cannot. */
export function requireProof(caller: Caller, nowSeconds: number): void {
  refuseProgram(caller)
  if (nowSeconds - caller.provenAt > recentProofSeconds)
    throw new Refusal('recent_proof_required', { minutes: recentProofSeconds / 60 })
}

function refuseProgram({ via }: Caller): void {
  if (via !== 'session') throw new Refusal('session_required')
}

function isProvenBy(call: Call, { body }: Arguments): boolean {
  const condition = proofConditionOf(call)
  const field = typeof condition === 'object' && 'provenBy' in condition ? condition.provenBy : undefined
  return field !== undefined && textIn(body, field) !== ''
}

/** The names of the options in a body: of one, or of many. */
function optionsIn(body: unknown): readonly string[] {
  const { options } = body as { readonly options?: readonly unknown[] }
  return (options ?? [body]).map((option) => textIn(option, 'key'))
}

/** A text of a body; empty for one that is absent or something else. */
function textIn(body: unknown, field: string): string {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[field]
  return typeof value === 'string' ? value : ''
}
