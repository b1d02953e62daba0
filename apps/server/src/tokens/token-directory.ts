import type { TokenStatus } from '@tollgate/api'
import { createAddressMatcher, parseAddressRange } from '../lib/addresses.ts'
import { createBatchLoader } from '../lib/batch-loader.ts'
import { createReadThroughCache } from '../lib/read-through-cache.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Seconds, Token } from '../store/entities.ts'
import type { Store } from '../store/store.ts'

/** A key as the relay needs to see it, compiled once per change. */
export interface DirectoryToken {
  readonly id: number
  readonly userId: number
  readonly name: string
  readonly status: TokenStatus
  /** `null` means never. */
  readonly expiresAt: Seconds | null
  readonly unlimited: boolean
  /** `null` when every model is allowed. */
  readonly modelLimits: ReadonlySet<string> | null
  /** `null` when every address is allowed. */
  readonly allowedAddresses: { allows(address: string): boolean } | null
  /** Empty means the owner's group. */
  readonly group: string
}

export interface TokenDirectory {
  /** At once: the key, `null` when there is none, `undefined` when memory does not know. */
  peek(keyHash: string): DirectoryToken | null | undefined
  /** Not deleted. Rejects when the database does not answer. */
  find(keyHash: string): Promise<DirectoryToken | undefined>
}

interface Dependencies {
  readonly store: { readonly tokens: Pick<Store['tokens'], 'listByKeyHashes'> }
  readonly events: ChangeBus
}

const maximumTokens = 200_000
const absentMs = 5_000

/** Bounded memory of keys by their hash, kept true by the 'token-changed' event. */
export function createTokenDirectory({ store, events }: Dependencies): TokenDirectory {
  const read = createBatchLoader((keyHashes: readonly string[]) => store.tokens.listByKeyHashes(keyHashes))
  const cache = createReadThroughCache<string, DirectoryToken>({
    load: async (keyHash) => compiled(await read(keyHash)),
    maximum: maximumTokens,
    absentMs,
  })
  events.subscribe('token-changed', ({ keyHash }) => cache.drop(keyHash))
  return { peek: cache.peek, find: cache.find }
}

function compiled(token: Token | undefined): DirectoryToken | undefined {
  if (token === undefined || token.deletedAt !== null) return undefined
  const { id, userId, name, status, expiresAt, group } = token
  return {
    id,
    userId,
    name,
    status,
    expiresAt,
    unlimited: token.unlimitedQuota,
    modelLimits: token.modelLimitsEnabled ? new Set(token.modelLimits) : null,
    allowedAddresses: compiledAddresses(token.allowIps),
    group,
  }
}

/**
 * Lines that are no addresses (imported ones) allow nothing: a list of nothing but such lines closes the key
 * rather than opening it to everybody.
 */
function compiledAddresses(allowIps: string): DirectoryToken['allowedAddresses'] {
  const lines = allowIps.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return null
  return { allows: createAddressMatcher(lines.flatMap((line) => parseAddressRange(line.trim()) ?? [])) }
}
