import { parseExactJson } from './exact-json.ts'
import { skipSpace, skipValue, stringEnd } from './text.ts'
import { isObject } from './value.ts'

/** The way to a value: names of members, and places in lists. */
export type JsonPath = readonly (string | number)[]

/** A change inside a JSON value: the new text at a path, or `undefined` to remove the member or item there. */
export interface NestedEdit {
  readonly path: JsonPath
  readonly text: string | undefined
}

/** A value that stays, with edits inside of it, or one that an edit replaces. */
type Node = Map<string | number, Node> | { readonly text: string | undefined }

/**
 * A JSON text with values at some paths replaced or removed; every other character stays as it is.
 * @param text that was parsed before
 */
export function textWithEdits(text: string, edits: readonly NestedEdit[]): string {
  const cuts: Cut[] = []
  collectCuts(text, skipSpace(text, 0), nodeOf(edits), cuts)
  let out = ''
  let copied = 0
  for (const { from, to, text: inserted } of cuts) {
    out += text.slice(copied, from) + inserted
    copied = to
  }
  return out + text.slice(copied)
}

/** The same edits of the parsed value; what they do not touch is shared with it. */
export function valueWithEdits(value: unknown, edits: readonly NestedEdit[]): unknown {
  return edits.length === 0 ? value : edited(value, nodeOf(edits))
}

function edited(value: unknown, node: Node): unknown {
  if (!(node instanceof Map)) return node.text === undefined ? undefined : parseExactJson(node.text)
  if (Array.isArray(value))
    return value
      .map((item: unknown, index) => editedPart(item, node.get(index)))
      .filter((_, index) => !isRemoved(node.get(index)))
  if (!isObject(value)) return value
  const retained = Object.entries(value).filter(([key]) => !isRemoved(node.get(key)))
  return Object.fromEntries(retained.map(([key, member]) => [key, editedPart(member, node.get(key))]))
}

function editedPart(value: unknown, node: Node | undefined): unknown {
  return node === undefined ? value : edited(value, node)
}

function isRemoved(node: Node | undefined): boolean {
  return node !== undefined && !(node instanceof Map) && node.text === undefined
}

function nodeOf(edits: readonly NestedEdit[]): Node {
  const root = new Map<string | number, Node>()
  for (const { path, text } of edits) {
    let node = root
    for (const step of path.slice(0, -1)) node = childOf(node, step)
    node.set(path.at(-1) ?? '', { text })
  }
  return root
}

function childOf(node: Map<string | number, Node>, step: string | number): Map<string | number, Node> {
  const found = node.get(step)
  if (found instanceof Map) return found
  const made = new Map<string | number, Node>()
  node.set(step, made)
  return made
}

/** A part of the text that is left out, and what stands there instead. */
interface Cut {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Collects the cuts in the object or list that opens at `at`, in the order of the text. */
function collectCuts(text: string, at: number, node: Node, cuts: Cut[]): void {
  if (!(node instanceof Map)) return
  const parts = partsOf(text, at)
  let previousEnd: number | undefined
  for (const [position, part] of parts.entries()) {
    const inside = node.get(part.step)
    if (isRemoved(inside)) {
      cuts.push(removal(part, previousEnd, parts[position + 1]))
      if (previousEnd !== undefined) previousEnd = part.end
    } else {
      previousEnd = part.end
      if (inside instanceof Map) collectCuts(text, part.valueStart, inside, cuts)
      else if (inside?.text !== undefined)
        cuts.push({ from: part.valueStart, to: part.end, text: inside.text })
    }
  }
}

/** Returns the cut of a member: with the comma before it where something stays there, else with the one behind it. */
function removal({ start, end }: Part, previousEnd: number | undefined, next: Part | undefined): Cut {
  return previousEnd === undefined
    ? { from: start, to: next?.start ?? end, text: '' }
    : { from: previousEnd, to: end, text: '' }
}

/** A member with its key, or an item of a list, as offsets into the text. */
interface Part {
  readonly step: string | number
  readonly start: number
  readonly valueStart: number
  readonly end: number
}

function partsOf(text: string, at: number): readonly Part[] {
  const parts: Part[] = []
  const isList = text[at] === '['
  if (!isList && text[at] !== '{') return parts
  let next = skipSpace(text, at + 1)
  while (next < text.length && text[next] !== ']' && text[next] !== '}') {
    const part = isList ? itemAt(text, next, parts.length) : memberAt(text, next)
    parts.push(part)
    next = skipSpace(text, part.end)
    if (text[next] === ',') next = skipSpace(text, next + 1)
  }
  return parts
}

function itemAt(text: string, start: number, step: number): Part {
  return { step, start, valueStart: start, end: skipValue(text, start) }
}

function memberAt(text: string, start: number): Part {
  const keyEnd = stringEnd(text, start)
  const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1)
  const step = String(JSON.parse(text.slice(start, keyEnd)))
  return { step, start, valueStart, end: skipValue(text, valueStart) }
}
