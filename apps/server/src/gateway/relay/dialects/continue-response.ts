import {
  ambiguousKey,
  isObject,
  type JsonObject,
  type JsonScan,
  memberText,
  openAiResponses,
  parseExactJson,
  parseJson,
  scanTopLevel,
  spliceMembers,
  textOf,
} from '@tollgate/formats'
import { StoreFault } from '../../../store/errors.ts'
import type { ResponseOwner } from '../../../store/work/stored-responses.ts'
import { itemsOf } from '../../stored-responses/exchange.ts'
import type { StoredResponses } from '../../stored-responses/stored-responses.ts'
import { type CallText, mentions } from '../bodies/call-text.ts'
import { RelayError } from '../relay-error.ts'

/** A call of the Responses API whose body contains the conversation that it continues, so that any upstream can serve it. */
export interface ContinuedCall {
  readonly body: string
  /** Ids of the responses that it continues, the oldest first. */
  readonly ancestorIds: readonly string[]
  /** Its own input as JSON text. */
  readonly input: string
}

interface Dependencies {
  readonly stored: StoredResponses
  readonly maxJsonDepth: number
}

/**
 * Replaces ids of stored responses and items in a body by their contents. Returns `undefined` synchronously for a body without
 * such ids, or for one that the dialect refuses.
 * @throws (as a rejection) RelayError for ids that are not the caller's own
 */
export function continueResponse(
  call: CallText,
  owner: ResponseOwner,
  { stored, maxJsonDepth }: Dependencies,
): Promise<ContinuedCall> | undefined {
  if (!stored.isOn || !namesStored(call)) return undefined
  const { text } = call
  const scan = scanTopLevel(text, maxJsonDepth)
  if (!scan.ok || ambiguousKey(scan, openAiResponses.decisiveFields) !== undefined) return undefined
  const previousId = memberValue(text, scan, 'previous_response_id')
  const input = scan.members.get('input')
  if (input === undefined || (previousId != null && typeof previousId !== 'string')) return undefined
  const continuing: ContinuingCall = {
    text,
    scan,
    previousId: textOf(previousId),
    input: memberText(text, input),
  }
  return continuing.previousId === '' && !continuing.input.includes('"item_reference"')
    ? undefined
    : orDatabaseUnavailable(continued(continuing, owner, stored))
}

function namesStored(call: CallText): boolean {
  return mentions(call, '"previous_response_id"') || mentions(call, '"item_reference"')
}

interface ContinuingCall {
  readonly text: string
  readonly scan: JsonScan
  /** Empty for none. */
  readonly previousId: string
  readonly input: string
}

async function continued(
  { text, scan, previousId, input }: ContinuingCall,
  owner: ResponseOwner,
  stored: StoredResponses,
): Promise<ContinuedCall> {
  const own = input.includes('"item_reference"') ? await withItems(input, owner, stored) : input
  const before = previousId === '' ? undefined : await conversationBefore(previousId, owner, stored)
  const items = before === undefined ? own : joined(before.items, own)
  const edits = new Map([
    ['previous_response_id', undefined],
    ['input', items],
  ])
  return { body: spliceMembers(text, scan, edits), ancestorIds: before?.ids ?? [], input: own }
}

/** A text of items behind others; an input that is neither a text nor a list is left for the dialect to refuse. */
function joined(before: readonly JsonObject[], input: string): string {
  const own = parseJson(input)
  if (typeof own !== 'string' && !Array.isArray(own)) return input
  const items = typeof own === 'string' ? JSON.stringify(itemsOf(own)) : input.trim()
  const inner = items.slice(1, -1)
  const first = JSON.stringify(before).slice(1, -1)
  return `[${[first, inner].filter((part) => part.trim() !== '').join(',')}]`
}

async function conversationBefore(id: string, owner: ResponseOwner, stored: StoredResponses) {
  const found = await stored.findConversation(owner, id)
  if (typeof found !== 'string') return found
  if (found === 'too-long') {
    throw new RelayError(
      'invalid_request',
      'The conversation that previous_response_id continues is too long: send the part that still matters as input.',
      { param: 'previous_response_id', upstreamCode: 'context_length_exceeded' },
    )
  }
  throw new RelayError(
    'invalid_request',
    `Previous response with id '${visible(id)}' not found. Responses are stored for a limited time, and for the key that requested them: send the conversation whole.`,
    { param: 'previous_response_id', upstreamCode: 'previous_response_not_found' },
  )
}

async function withItems(input: string, owner: ResponseOwner, stored: StoredResponses): Promise<string> {
  const items = parseExactJson(input)
  if (!Array.isArray(items)) return input
  const ids = items.filter(isReference).map(({ id }) => textOf(id))
  if (ids.length === 0) return input
  const found = await stored.findItems(owner, [...new Set(ids)])
  const resolved = items.flatMap((item: unknown, index) => {
    if (!isReference(item)) return [item]
    const id = textOf(item.id)
    if (!found.has(id)) throw itemNotFound(id, index)
    return found.get(id) ?? []
  })
  return JSON.stringify(resolved)
}

function isReference(item: unknown): item is JsonObject {
  return isObject(item) && item.type === 'item_reference'
}

function itemNotFound(id: string, position: number): RelayError {
  return new RelayError(
    'stored_response_not_found',
    `Item with id '${visible(id)}' not found. Items are stored for a limited time when store is true: send the item itself.`,
    { param: `input[${position}]`, upstreamCode: 'item_not_found' },
  )
}

function memberValue(text: string, scan: JsonScan, name: string): unknown {
  const member = scan.members.get(name)
  return member === undefined ? undefined : parseJson(memberText(text, member))
}

const visibleLength = 128

function visible(id: string): string {
  return id.slice(0, visibleLength)
}

/** Reads stored responses. Throws `RelayError` 503 when the database fails, which must not look like "not found". */
export async function orDatabaseUnavailable<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (cause) {
    if (!(cause instanceof StoreFault)) throw cause
    throw new RelayError(
      'database_unavailable',
      'Stored responses cannot be read right now. Try again shortly.',
      {
        cause,
      },
    )
  }
}
