import type { EncodeTarget, RequestFacts } from '../../canonical/codec.ts'
import { type Instructions, withFirstItem } from '../../canonical/instructions.ts'
import type { RequestQuirks, RequestText } from '../../json/request-text.ts'
import { memberTextOf } from '../../json/request-text.ts'
import { type JsonEdits, memberText, scanTopLevel, spliceMembers } from '../../json/text.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson } from '../../json/value.ts'
import type { OpenAiRequest } from '../request.ts'

/** The chosen upstream, as edits of a request need it. */
export interface EditTarget {
  /** Model name after mapping. */
  readonly upstreamModel: string
  /** The upstream takes `stream_options`. */
  readonly streamOptions: boolean
  /** The channel's `param_override`; it has the last word, but for `stream`. */
  readonly paramOverride?: JsonObject | null | undefined
  /** Further changes that this upstream needs. */
  readonly quirks?: RequestQuirks | undefined
}

/**
 * The named edits for one attempt: the native ones, the upstream's quirks, and the operator's overrides, which have the
 * last word. Everything else of the body stays byte for byte.
 */
export function editsFor(request: OpenAiRequest, target: EditTarget): JsonEdits {
  const { upstreamModel, quirks, paramOverride } = target
  const native = nativeEdits(request, request, { model: upstreamModel, streamOptions: target.streamOptions })
  if (quirks === undefined && (paramOverride === undefined || paramOverride === null)) return native
  const edits = new Map(native)
  for (const [key, value] of quirks?.(request, upstreamModel) ?? []) edits.set(key, value)
  for (const [key, value] of Object.entries(paramOverride ?? {})) {
    // Whether the response streams is between the caller and the pump.
    if (key !== 'stream') edits.set(key, JSON.stringify(value))
  }
  return edits
}

/** The edits that every upstream of this format needs: model name, limits of zero dropped, and usage asked for. */
export function nativeEdits(request: RequestText, facts: StreamFacts, target: EncodeTarget): JsonEdits {
  if (passesAsItIs(request.body, facts, target)) return noEdits
  const edits = new Map<string, string | undefined>()
  if (target.model !== request.body.model) edits.set('model', JSON.stringify(target.model))
  for (const key of ['max_tokens', 'max_completion_tokens'])
    if (request.body[key] === 0) edits.set(key, undefined)
  editStreamOptions(edits, request, facts, target)
  return edits
}

type StreamFacts = Pick<RequestFacts, 'stream' | 'includeUsage'>

const noEdits: JsonEdits = new Map()

/** Returns whether the request passes as it is, as nearly every call does: the upstream knows the model by its name and needs nothing changed. */
function passesAsItIs(
  body: JsonObject,
  { stream, includeUsage }: StreamFacts,
  target: EncodeTarget,
): boolean {
  return (
    target.model === body.model &&
    target.streamOptions &&
    (!stream || includeUsage) &&
    body.max_tokens !== 0 &&
    body.max_completion_tokens !== 0
  )
}

/** The body to send: the text as received when nothing is edited. */
export function applyEdits(request: OpenAiRequest, edits: JsonEdits): string {
  return spliceMembers(request.text, request.scan, edits)
}

function editStreamOptions(
  edits: Map<string, string | undefined>,
  request: RequestText,
  { stream, includeUsage }: StreamFacts,
  target: EncodeTarget,
): void {
  const options = memberTextOf(request, 'stream_options')
  if (!target.streamOptions) {
    if (options !== undefined) edits.set('stream_options', undefined)
  } else if (stream && !includeUsage) edits.set('stream_options', withUsage(options ?? '{}'))
}

const usageRequested: JsonEdits = new Map([['include_usage', 'true']])
const maxDepth = 64

/** Adds the request for usage to the caller's own options. */
function withUsage(options: string): string {
  const scan = scanTopLevel(options, maxDepth)
  return scan.ok ? spliceMembers(options, scan, usageRequested) : '{"include_usage":true}'
}

/** Reads a channel's `param_override`; `undefined` when it is not a JSON object. */
export function parseParamOverride(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

/** A system message in front of the others. */
export function instructionEdits(
  { text: body, scan, body: { messages } }: RequestText,
  { text, always }: Instructions,
): JsonEdits | undefined {
  const member = scan.members.get('messages')
  if (member === undefined || (!always && listOf(messages).some(isInstruction))) return undefined
  return new Map([['messages', withFirstItem(memberText(body, member), { role: 'system', content: text })]])
}

function isInstruction(message: unknown): boolean {
  const { role } = objectOf(message)
  return role === 'system' || role === 'developer'
}
