import { type JsonEdits, memberText, scanTopLevel, spliceMembers } from '../json-text.ts'
import { isObject, type JsonObject, parseJson } from '../json-value.ts'
import type { RequestQuirks } from '../request-text.ts'
import type { OpenAiRequest } from './request.ts'

/** What the chosen upstream makes of a request. */
export interface EditTarget {
  /** Model name after mapping. */
  readonly upstreamModel: string
  /** The upstream takes `stream_options`. */
  readonly streamOptions: boolean
  /** The channel's `param_override`; it has the last word, but for `stream`. */
  readonly paramOverride?: JsonObject | null | undefined
  /** What else this upstream needs changed. */
  readonly quirks?: RequestQuirks | undefined
}

/**
 * The named edits for one attempt: model name, limits of zero dropped, the upstream's quirks, the operator's
 * overrides, and usage asked for where the upstream can give it. Everything else of the body stays byte for byte.
 */
export function editsFor(request: OpenAiRequest, target: EditTarget): JsonEdits {
  if (passesAsItIs(request, target)) return noEdits
  const edits = new Map<string, string | undefined>()
  if (target.upstreamModel !== request.model) edits.set('model', JSON.stringify(target.upstreamModel))
  for (const key of ['max_tokens', 'max_completion_tokens'])
    if (request.body[key] === 0) edits.set(key, undefined)
  for (const [key, value] of target.quirks?.(request, target.upstreamModel) ?? []) edits.set(key, value)
  for (const [key, value] of Object.entries(target.paramOverride ?? {})) {
    // Whether the answer streams is between the caller and the pump.
    if (key !== 'stream') edits.set(key, JSON.stringify(value))
  }
  // An operator who overrides stream_options knows the upstream better than its type does.
  if (!edits.has('stream_options')) editStreamOptions(edits, request, target)
  return edits
}

const noEdits: JsonEdits = new Map()

/** What nearly every call is: the upstream knows the model by its name and needs nothing changed. */
function passesAsItIs({ body, model, stream, includeUsage }: OpenAiRequest, target: EditTarget): boolean {
  return (
    target.upstreamModel === model &&
    target.streamOptions &&
    (!stream || includeUsage) &&
    body.max_tokens !== 0 &&
    body.max_completion_tokens !== 0 &&
    target.quirks === undefined &&
    (target.paramOverride === undefined || target.paramOverride === null)
  )
}

/** The body to send: the text as received when nothing is edited. */
export function applyEdits(request: OpenAiRequest, edits: JsonEdits): string {
  return spliceMembers(request.text, request.scan, edits)
}

function editStreamOptions(
  edits: Map<string, string | undefined>,
  request: OpenAiRequest,
  target: EditTarget,
): void {
  const member = request.scan.members.get('stream_options')
  if (!target.streamOptions) {
    if (member !== undefined) edits.set('stream_options', undefined)
  } else if (request.stream && !request.includeUsage) {
    const asked = member === undefined ? '{}' : memberText(request.text, member)
    edits.set('stream_options', withUsage(asked))
  }
}

const includeUsage: JsonEdits = new Map([['include_usage', 'true']])
const maxDepth = 64

/** The caller's own options stay beside ours. */
function withUsage(options: string): string {
  const scan = scanTopLevel(options, maxDepth)
  return scan.ok ? spliceMembers(options, scan, includeUsage) : '{"include_usage":true}'
}

/** Reads a channel's `param_override`; `undefined` when it is not a JSON object. */
export function parseParamOverride(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}
