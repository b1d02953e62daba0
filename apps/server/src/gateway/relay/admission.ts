import { familyName } from '@tollgate/api'
import type { DirectoryToken } from '../../accounts/tokens/token-directory.ts'
import type { DirectoryUser } from '../../accounts/users/user-directory.ts'
import type { Ledger } from '../../billing/ledger-types.ts'
import { isUsableGroup } from '../../settings/groups.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ResponseOwner } from '../../store/work/stored-responses.ts'
import { RelayError } from './relay-error.ts'

/** Conditions of a key by the need of a call, beside being switched on and having an owner who may call. */
const keyNeeds = {
  /** Work that is charged. */
  spend: { time: true, balance: true },
  /** Need of free calls: lists of models, counted prompts, tasks and responses that were paid for. */
  use: { time: true, balance: false },
  /** The key's own figures, which say how it ended: an expired key has them, too. */
  figures: { time: false, balance: false },
} as const satisfies Readonly<Record<string, { readonly time: boolean; readonly balance: boolean }>>

export type KeyNeed = keyof typeof keyNeeds

/** A key's owner as the relay needs to see them, live. */
export type RelayUser = Omit<DirectoryUser, 'accessTokenHash' | 'quotaWarningThreshold'>

/** Found at once when it is in memory (`null` for "does not exist"), else from the database. */
interface Directory<Key, Entry> {
  peek(key: Key): Entry | null | undefined
  find(key: Key): Promise<Entry | undefined>
}

/** Distinguishes an unknown key from a failed look-up: a key must not look invalid because the database is down. */
async function known<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (cause) {
    throw new RelayError('database_unavailable', 'The key cannot be checked right now. Try again shortly.', {
      cause,
    })
  }
}

/** Loads the balances of a user and a key (0 for none) into memory. Throws `RelayError` when they cannot be read. */
export async function loadBalances(
  ledger: Pick<Ledger, 'load'>,
  userId: number,
  tokenId: number,
): Promise<void> {
  const loading = ledger.load(userId, tokenId)
  if (loading !== undefined) await known(loading)
}

export interface AdmissionDependencies {
  /** Tokens by the key as it is presented. */
  readonly tokens: Directory<string, DirectoryToken>
  readonly users: Directory<number, RelayUser>
  readonly ledger: Pick<Ledger, 'load' | 'balance' | 'lookAgain'>
  readonly nowSeconds: () => number
  /** Hears of every call with a known key, refused ones too; must not throw. */
  readonly presented?: (tokenId: number, address: string) => void
  /** Hears of a call that a known key cannot make; must not throw. */
  readonly refused?: (token: DirectoryToken, error: RelayError) => void
}

/** Caller whose key and account were found and checked. */
export interface RelayCaller {
  readonly user: RelayUser
  /** `null` in the playground, which a session pays for. */
  readonly token: DirectoryToken | null
  /** 0 without one. */
  readonly tokenId: number
  readonly tokenName: string
  /** The group that routes and prices the call. */
  readonly group: string
  readonly pinnedChannelId: number | undefined
}

/** Keys of this gateway have 48 letters and digits; imported ones are as they are in their programs' hands. */
const keyForm = /^[\x21-\x7e]{4,256}$/

function masked(key: string): string {
  return `sk-${key.slice(0, 3)}***${key.slice(-3)}`
}

function refuseUnusable(token: DirectoryToken, presented: Presented, deps: AdmissionDependencies): void {
  if (token.isFrozen)
    throw new RelayError(
      'token_disabled',
      `Key ${masked(presented.key)} is frozen. Its owner finds the reason in the console.`,
    )
  if (token.status === 'disabled')
    throw new RelayError(
      'token_disabled',
      `Key ${masked(presented.key)} is disabled. Enable it in the console.`,
    )
  if (!keyNeeds[presented.need].time || token.expiresAt === null || token.expiresAt >= deps.nowSeconds())
    return
  throw new RelayError(
    'token_expired',
    `Key ${masked(presented.key)} has expired. Change its expiry or use another key.`,
  )
}

function refuseExhausted(token: DirectoryToken, presented: Presented, deps: AdmissionDependencies): void {
  if (!lacksQuota(token, presented, deps)) return
  throw new RelayError(
    'token_quota_exhausted',
    `The quota of key ${masked(presented.key)} is used up. Raise it in the console.`,
  )
}

/** Checks for a call that needs quota which memory does not have. */
function lacksQuota(
  token: DirectoryToken,
  { need }: Presented,
  { ledger }: Pick<AdmissionDependencies, 'ledger'>,
): boolean {
  return keyNeeds[need].balance && !token.unlimited && (ledger.balance('token', token.id) ?? 0) <= 0
}

function refuseAddress(token: DirectoryToken, origin: CallOrigin): void {
  if (token.allowedAddresses === null || token.allowedAddresses.allows(origin.address)) return
  throw new RelayError(
    'address_not_allowed',
    'Your IP address is not in the list of addresses this key may be used from.',
  )
}

function pinnedChannel(text: string | undefined, user: RelayUser): number | undefined {
  if (text === undefined) return undefined
  if (user.role === 'common') {
    throw new RelayError(
      'channel_pin_not_allowed',
      'Only administrators may choose a channel. Use the key without a suffix.',
    )
  }
  const id = Number(text)
  if (Number.isSafeInteger(id) && id > 0) return id
  throw new RelayError('channel_pin_invalid', 'The channel id behind the key is not a number.')
}

/** A key with its owner; `null` for what does not exist. */
interface Found {
  readonly token: DirectoryToken | null
  readonly user: RelayUser | null
}

const notFound: Found = { token: null, user: null }

/** Finds key, owner and balances in memory; `undefined` when one of them must be read first. */
function inMemory(key: string, { tokens, users, ledger }: AdmissionDependencies): Found | undefined {
  const token = tokens.peek(key)
  if (token === undefined) return undefined
  if (token === null) return notFound
  const user = users.peek(token.userId)
  if (user === undefined) return undefined
  if (user !== null && !(holds(ledger, 'user', user.id) && holds(ledger, 'token', token.id))) return undefined
  return { token, user }
}

function holds(ledger: Pick<Ledger, 'balance'>, kind: 'user' | 'token', id: number): boolean {
  return ledger.balance(kind, id) !== undefined
}

async function readIn(key: string, { tokens, users, ledger }: AdmissionDependencies): Promise<Found> {
  const token = (await known(tokens.find(key))) ?? null
  if (token === null) return notFound
  const user = (await known(users.find(token.userId))) ?? null
  if (user !== null) await loadBalances(ledger, user.id, token.id)
  return { token, user }
}

/** A key as a request has it. */
interface PresentedKey {
  readonly key: string
  readonly pinnedChannel: string | undefined
}

interface Presented extends PresentedKey {
  readonly need: KeyNeed
}

/** Origin of a call; only a key that is bound to addresses needs it. */
export interface CallOrigin {
  readonly address: string
}

function judge(
  { token, user }: Found,
  presented: Presented,
  origin: CallOrigin,
  deps: AdmissionDependencies,
): RelayCaller {
  if (token === null) {
    throw new RelayError('invalid_api_key', 'Invalid API key. Check it, or create a new one in the console.')
  }
  deps.presented?.(token.id, origin.address)
  try {
    return callerOf(token, user, presented, origin, deps)
  } catch (error) {
    if (error instanceof RelayError) deps.refused?.(token, error)
    throw error
  }
}

function callerOf(
  token: DirectoryToken,
  user: RelayUser | null,
  presented: Presented,
  origin: CallOrigin,
  deps: AdmissionDependencies,
): RelayCaller {
  refuseUnusable(token, presented, deps)
  if (user === null) throw new RelayError('invalid_api_key', 'The owner of this API key no longer exists.')
  if (user.status === 'banned') throw new RelayError('user_banned', 'The owner of this API key is banned.')
  refuseAddress(token, origin)
  refuseExhausted(token, presented, deps)
  return {
    user,
    token,
    tokenId: token.id,
    tokenName: token.name,
    group: token.group === '' ? user.group : token.group,
    pinnedChannelId: pinnedChannel(presented.pinnedChannel, user),
  }
}

/**
 * Finds and checks who presents a key: switch, owner, address, and what the call needs of expiry and quota. Throws (or rejects with)
 * `RelayError`. At once while key, owner and balances are in memory; no database is touched then.
 * @step
 */
export function admitToken(
  key: PresentedKey | undefined,
  need: KeyNeed,
  origin: CallOrigin,
  deps: AdmissionDependencies,
): RelayCaller | Promise<RelayCaller> {
  if (key === undefined) {
    throw new RelayError('missing_api_key', 'No API key given. Send it as "Authorization: Bearer sk-…".')
  }
  const presented = { key: key.key, pinnedChannel: key.pinnedChannel, need }
  if (!keyForm.test(presented.key)) return judge(notFound, presented, origin, deps)
  const found = inMemory(presented.key, deps)
  if (found === undefined) return judgeRead(presented, origin, deps)
  const looking = lookAgain(found, presented, deps)
  return looking === undefined
    ? judge(found, presented, origin, deps)
    : looking.then(() => judge(found, presented, origin, deps))
}

/** Reads a key again that seems to be used up: another node may have been credited for it. */
function lookAgain(
  { token }: Found,
  presented: Presented,
  deps: AdmissionDependencies,
): Promise<void> | undefined {
  if (token === null || !lacksQuota(token, presented, deps)) return undefined
  return deps.ledger.lookAgain('token', token.id)
}

async function judgeRead(
  presented: Presented,
  origin: CallOrigin,
  deps: AdmissionDependencies,
): Promise<RelayCaller> {
  const found = await readIn(presented.key, deps)
  await lookAgain(found, presented, deps)
  return judge(found, presented, origin, deps)
}

/** Model limits of a key, whatever channel its caller chooses: who finds a key must not get more of it by a suffix. */
export function refuseModel(caller: RelayCaller, model: string): void {
  const limits = caller.token?.modelLimits ?? null
  if (limits === null || limits.has(model) || limits.has(familyName(model))) return
  throw new RelayError('model_not_allowed', `This key may not use the model ${model}.`, { param: 'model' })
}

/** Refuses a key's group that has since been closed to its owner, or that no longer exists. */
export function refuseGroup(caller: RelayCaller, { settings }: { readonly settings: SettingsReader }): void {
  const group = caller.token?.group ?? ''
  if (group === '') return
  const { current } = settings
  if (isUsableGroup(current, caller.user.group, group) && Object.hasOwn(current.GroupRatio, group)) return
  throw new RelayError(
    'group_not_allowed',
    `You cannot use the group ${group} of this key. Choose another for it.`,
    { messageParams: { group } },
  )
}

/** The owner of stored responses: the user, with the key of the call. */
export function responseOwner({ user, tokenId }: RelayCaller): ResponseOwner {
  return { userId: user.id, tokenId }
}
