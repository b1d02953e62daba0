import type { ChatRequest, MediaPart, Message, TextPart } from './canonical/request.ts'

/** Beside the request, for where something stood is no part of what it says. */
const sourcePaths = new WeakMap<object, string>()

/** Notes where in its caller's body a part of a request stood, for refusals that come later. What was told first stays. */
export function withSourcePath<Value extends object>(value: Value, path: string | undefined): Value {
  if (path !== undefined && !sourcePaths.has(value)) sourcePaths.set(value, path)
  return value
}

export function sourcePathOf(value: object | undefined): string | undefined {
  return value && sourcePaths.get(value)
}

/** How encoders name a part of a message: by its place there, or in the result that holds it. @param message its own name */
export function partPath(message: string, parts: Message['parts'], part: TextPart | MediaPart): string {
  const place = parts.findIndex((each) => each === part || holds(each, part))
  const outer = place < 0 ? message : `${message}.content[${place}]`
  const holder = parts[place]
  return holder?.type === 'tool-result' ? `${outer}.content[${holder.content.indexOf(part)}]` : outer
}

function holds(outer: Message['parts'][number], part: TextPart | MediaPart): boolean {
  return outer.type === 'tool-result' && outer.content.includes(part)
}

export interface CallerPlace {
  /** In the caller's body. */
  readonly path: string
  /** What of a tool is meant, as encoders call it: `.parameters`, ` (its name)`; empty for the whole. */
  readonly rest: string
}

/**
 * Where in its caller's body stood what an encoder names by its place in the request: `messages[2].content[0]`, `tools[1]`.
 * `undefined` for what the caller did not write (instructions of the operator's), and for other fields.
 */
export function callerPlaceOf(field: string, request: ChatRequest): CallerPlace | undefined {
  const [, tool, rest = ''] = toolNamed.exec(field) ?? []
  const [, message, part, inner] = partNamed.exec(field) ?? []
  const values = tool === undefined ? partsAt(request, message, part, inner) : [request.tools[Number(tool)]]
  const path = values.map(sourcePathOf).find((known) => known !== undefined)
  return path === undefined ? undefined : { path, rest }
}

const toolNamed = /^tools\[(\d+)\]( \(.*|\.name|\.parameters.*|)$/s
const partNamed = /^messages\[(\d+)\](?:\.content\[(\d+)\](?:\.content\[(\d+)\])?)?/

/** The part that is named, and what it stands in: the nearest whose place is known counts. */
function partsAt(
  { messages }: ChatRequest,
  place: string | undefined,
  part: string | undefined,
  inner: string | undefined,
): readonly (object | undefined)[] {
  const message = messages[Number(place)]
  const outerPart = part === undefined ? undefined : message?.parts[Number(part)]
  const content =
    outerPart?.type === 'tool-result' && inner !== undefined ? outerPart.content[Number(inner)] : undefined
  return [content, outerPart, message]
}
