import { type JsonEdits, memberText, type RequestText } from '@tollgate/formats'

export const noEdits: JsonEdits = new Map()

/** The value under another name, byte for byte; nothing when the caller did not send it or sent both. */
export function renameField(request: RequestText, from: string, to: string): JsonEdits {
  const member = request.scan.members.get(from)
  // A zero limit means none and is dropped anyway.
  if (member === undefined || request.body[from] === 0 || request.body[to] != null) return noEdits
  return new Map([
    [from, undefined],
    [to, memberText(request.text, member)],
  ])
}

/** Upstreams that take a number only inside an interval get the nearest value they take. */
export function clampNumber(
  { body }: RequestText,
  name: 'top_p' | 'temperature',
  least: number,
  most: number,
): JsonEdits {
  const value = body[name]
  if (typeof value !== 'number' || (value >= least && value <= most)) return noEdits
  return new Map([[name, JSON.stringify(value < least ? least : most)]])
}

/** The fields taken out, as far as the caller sent them. */
export function removeFields({ body }: RequestText, names: readonly string[]): JsonEdits {
  const sent = names.filter((name) => body[name] != null)
  return sent.length === 0 ? noEdits : new Map(sent.map((name) => [name, undefined]))
}

/** Several edits as one; the later wins. */
export function mergeEdits(...edits: readonly JsonEdits[]): JsonEdits {
  return new Map(edits.flatMap((each) => [...each]))
}

/** How hard to think, said by the end of the model's name: `o3-mini-high`. Never `-mini`, `-pro`, `-max`. */
const effortSuffix = /-(none|minimal|low|medium|high|xhigh)$/

/** The effort at the end of a model's name; `undefined` for a name without any. */
export function effortOf(model: string): string | undefined {
  return effortSuffix.exec(model)?.[1]
}

/** The model's name without an effort at its end. */
export function withoutEffort(model: string): string {
  return model.replace(effortSuffix, '')
}

/** Moves the effort from the model's name, where operators write it, into the field that vendors have for it. */
export function effortFromName(request: RequestText, model: string): JsonEdits {
  const effort = effortOf(model)
  if (effort === undefined) return noEdits
  const name: [string, string] = ['model', JSON.stringify(withoutEffort(model))]
  const isSaid = request.body.reasoning_effort != null
  return new Map(isSaid ? [name] : [name, ['reasoning_effort', JSON.stringify(effort)]])
}
