import { type Clock, secondsOf } from '@tollgate/base'
import { type JsonObject, objectOf, parseExactJson, textOf } from '@tollgate/formats'
import type { Vault } from '../../lib/crypto.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type {
  NewStoredResponse,
  ResponseOwner,
  StoredResponse,
  StoredResponseRepository,
} from '../../store/work/stored-responses.ts'
import {
  conversationItems,
  itemIn,
  itemsOf,
  listedInput,
  maxIdLength,
  outputIdsOf,
  responseOfInputItem,
  responseOfStream,
  type StoredExchange,
} from './exchange.ts'
import { createResponseWriter } from './response-writer.ts'

/** A response with the conversation before it. */
export interface Conversation {
  readonly items: readonly JsonObject[]
  /** Ids of all its responses, the oldest first. */
  readonly ids: readonly string[]
}

/** A completely delivered response. */
export interface DeliveredResponse {
  readonly owner: ResponseOwner
  /** The call's own input as JSON text, without the conversation that it continues. */
  readonly input: string
  /** Ids of the responses that the call continues, the oldest first. */
  readonly ancestorIds: readonly string[]
  /** The body, or the events that ended the stream, as its caller received them. */
  readonly reply: string | Uint8Array
  readonly streamed: boolean
}

/**
 * Stores responses of the Responses API, so that their callers can read and continue them. Only its owner finds a response.
 * Reads reject with a `StoreFault` when the database is unreachable.
 */
export interface StoredResponses {
  /** False while the operator has switched storing off. */
  readonly isOn: boolean
  /** Stores after the call; a response that is too large is not stored. */
  storeResponse(delivered: DeliveredResponse): void
  find(owner: ResponseOwner, id: string): Promise<JsonObject | undefined>
  /** False when the owner has no such response. */
  delete(owner: ResponseOwner, id: string): Promise<boolean>
  /** The full input of a response, the oldest item first, each with an id. */
  findInput(owner: ResponseOwner, id: string): Promise<readonly JsonObject[] | undefined>
  /** `'missing'` when it, or a response before it, is not stored; `'too-long'` beyond the bound of a call's body. */
  findConversation(owner: ResponseOwner, id: string): Promise<Conversation | 'missing' | 'too-long'>
  /** Finds items by their ids. An item that cannot be sent upstream is `undefined`; unknown ids are absent. */
  findItems(
    owner: ResponseOwner,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, JsonObject | undefined>>
  /** Resolves when every response stored so far is written. */
  flushed(): Promise<void>
}

interface Dependencies {
  readonly repository: StoredResponseRepository
  readonly vault: Pick<Vault, 'seal' | 'open'>
  readonly settings: SettingsReader
  readonly clock: Clock
  readonly logger: Logger
  /** Bound of a conversation: the bound of a call's body. */
  readonly maxConversationBytes: number
  /** Decides that no other node can have responses which are still to be written. */
  readonly isAlone: () => boolean
}

const megabyte = 1024 * 1024
/** Larger ones are not stored. */
const maxResponseBytes = 8 * megabyte
/** Past it the oldest are deleted. */
const perUser = { responses: 10_000, bytes: 256 * megabyte } as const
const maxTurns = 1000
/** Before each further look for a response that another node may be about to write. */
const pausesMs = [20, 50, 100, 200, 400] as const
const utf8 = new TextDecoder()

export function createStoredResponses(deps: Dependencies): StoredResponses {
  const { repository, vault, settings, logger } = deps
  const writer = createResponseWriter({ repository, perUser, logger })
  const now = secondsOf(deps.clock)
  const hours = () => settings.current.StoredResponseHours

  /** Waits for pending writes before it reads: this node's, and for a moment those of others where something is missing. */
  async function written<Value>(
    read: () => Promise<Value>,
    isMissing: (value: Value) => boolean = isAbsent,
  ): Promise<Value> {
    await writer.flushed()
    let value = await read()
    for (const pauseMs of deps.isAlone() ? [] : pausesMs) {
      if (!isMissing(value)) break
      await Bun.sleep(pauseMs)
      value = await read()
    }
    return value
  }

  function opened(row: StoredResponse): StoredExchange {
    const { input, response } = objectOf(
      parseExactJson(vault.open(row.sealed, sealContexts.storedResponse(row))),
    )
    return { input: itemsOf(input), response: objectOf(response) }
  }

  async function exchangesOf(
    owner: ResponseOwner,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, StoredExchange>> {
    const rows = await repository.listOwn(owner, ids, now())
    return new Map(rows.map((row) => [row.id, opened(row)]))
  }

  /** Reads the exchanges of a conversation, the oldest first. */
  async function exchangesUpTo(
    owner: ResponseOwner,
    id: string,
  ): Promise<readonly StoredExchange[] | 'missing' | 'too-long'> {
    const links = await repository.listOwnConversation(owner, id, now(), maxTurns)
    const bytes = links.reduce((sum, link) => sum + link.bytes, 0)
    if (links.length === maxTurns || bytes > deps.maxConversationBytes) return 'too-long'
    if (links[0] === undefined || links[0].previousId !== '') return 'missing'
    const found = await exchangesOf(
      owner,
      links.map((link) => link.id),
    )
    const exchanges = links.flatMap((link) => found.get(link.id) ?? [])
    return exchanges.length === links.length ? exchanges : 'missing'
  }

  return {
    get isOn() {
      return hours() > 0
    },
    storeResponse(delivered) {
      const storedHours = hours()
      const bytes = delivered.input.length + delivered.reply.length
      if (storedHours === 0 || bytes > maxResponseBytes) return
      writer.put({ bytes, prepare: () => rowOf(delivered, storedHours, now(), vault) })
    },
    find: (owner, id) =>
      written(async () => {
        const row = await repository.findOwn(owner, id, now())
        return row && opened(row).response
      }),
    delete: (owner, id) => written(() => repository.deleteOwn(owner, id, now())),
    findInput: (owner, id) =>
      written(async () => {
        const exchanges = await exchangesUpTo(owner, id)
        if (typeof exchanges !== 'string') return inputOf(exchanges)
        // The conversation before it is deleted, or is too long.
        const row = await repository.findOwn(owner, id, now())
        return row && listedInput(opened(row))
      }),
    findConversation: (owner, id) =>
      written(async () => {
        const exchanges = await exchangesUpTo(owner, id)
        if (typeof exchanges === 'string') return exchanges
        return {
          items: exchanges.flatMap(conversationItems),
          ids: exchanges.map(({ response }) => textOf(response.id)),
        }
      }),
    findItems: (owner, ids) =>
      written(
        async () => {
          const responseIds = new Map(await repository.findOwnItems(owner, ids))
          for (const id of ids) {
            const named = responseOfInputItem(id)
            if (named !== undefined && !responseIds.has(id)) responseIds.set(id, named)
          }
          const exchanges = await exchangesOf(owner, [...new Set(responseIds.values())])
          return itemsIn(responseIds, exchanges)
        },
        (found) => ids.some((id) => !found.has(id)),
      ),
    flushed: () => writer.flushed(),
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === false || value === 'missing'
}

/** The row of a delivered response; `undefined` for one that cannot be found again. */
function rowOf(
  delivered: DeliveredResponse,
  storedHours: number,
  createdAt: number,
  vault: Pick<Vault, 'seal'>,
): NewStoredResponse | undefined {
  const reply = typeof delivered.reply === 'string' ? delivered.reply : utf8.decode(delivered.reply)
  const response = delivered.streamed ? responseOfStream(reply) : objectOf(parseExactJson(reply))
  const id = textOf(response?.id)
  if (response === undefined || id === '' || id.length > maxIdLength) return undefined
  const previousId = delivered.ancestorIds.at(-1) ?? ''
  const retained = { ...response, previous_response_id: previousId === '' ? null : previousId, store: true }
  const input = itemsOf(parseExactJson(delivered.input))
  const text = JSON.stringify({ input, response: retained })
  return {
    ...delivered.owner,
    id,
    previousId,
    sealed: vault.seal(text, sealContexts.storedResponse({ ...delivered.owner, id })),
    bytes: Buffer.byteLength(text),
    createdAt,
    expiresAt: createdAt + storedHours * 3600,
    itemIds: outputIdsOf({ input, response }),
    ancestorIds: delivered.ancestorIds,
  }
}

/** All items but the last response's own output. */
function inputOf(exchanges: readonly StoredExchange[]): readonly JsonObject[] {
  return exchanges.flatMap((exchange, index) =>
    index === exchanges.length - 1
      ? listedInput(exchange)
      : [...listedInput(exchange), ...itemsOf(exchange.response.output)],
  )
}

function itemsIn(
  responseIds: ReadonlyMap<string, string>,
  exchanges: ReadonlyMap<string, StoredExchange>,
): ReadonlyMap<string, JsonObject | undefined> {
  const found = new Map<string, JsonObject | undefined>()
  for (const [id, reply] of responseIds) {
    const exchange = exchanges.get(reply)
    if (exchange !== undefined && hasItem(exchange, id)) found.set(id, itemIn(exchange, id))
  }
  return found
}

function hasItem(exchange: StoredExchange, id: string): boolean {
  return outputIdsOf(exchange).includes(id) || listedInput(exchange).some((item) => item.id === id)
}
