import { expectMembers, objectsOf } from '../../framing/event-shape.ts'
import { MalformedFrameError } from '../../framing/frame.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { member } from '../fields.ts'

/** More than any model writes into one call. */
const maxCharacters = 4 * 1024 * 1024
const maxDepth = 100
const maxIndex = 10_000

/** A call whose arguments come in pieces, each with its JSON path. */
interface PartialCall {
  /** The part that began it, which has its name and its signature. */
  readonly part: JsonObject
  readonly args: Node
  /** Path of the text that goes on with the next piece. */
  openPath: string
  characters: number
}

/**
 * Joins the calls of a stream that arrive in pieces: the complete call takes the place of its last piece. Vertex AI streams
 * arguments to callers that ask for it (`streamFunctionCallArguments`), and splits nothing else.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
 */
export class PartialCalls {
  readonly #open = new Map<number, PartialCall>()
  /** Calls that never ended, by candidate, with their arguments as far as they came. */
  readonly #broken = new Map<number, JsonObject[]>()

  /** The parts of a candidate's chunk. @throws MalformedFrameError for pieces that cannot be put together */
  assemble(candidate: number, parts: readonly unknown[]): readonly unknown[] {
    if (!this.#open.has(candidate) && !parts.some(isPiece)) return parts
    return parts.flatMap((part) => this.#take(candidate, objectOf(part)))
  }

  /** The candidates with a call that has not ended. */
  get candidates(): readonly number[] {
    return [...new Set([...this.#open.keys(), ...this.#broken.keys()])]
  }

  /** The calls of a candidate that never ended, at its own end. */
  unfinished(candidate: number): readonly JsonObject[] {
    const parts = [...(this.#broken.get(candidate) ?? []), ...this.#end(candidate)]
    this.#broken.delete(candidate)
    return parts
  }

  #take(candidate: number, part: JsonObject): readonly unknown[] {
    const call = member(part, 'functionCall')
    if (!isObject(call)) return [part]
    const begins = textOf(call.name) !== ''
    if (begins && !isPiece(part)) return [...this.#endBefore(candidate), part]
    const ended = begins ? this.#endBefore(candidate) : []
    if (begins) this.#open.set(candidate, beginning(part, call))
    const open = this.#open.get(candidate)
    if (open === undefined) return ended
    for (const piece of objectsOf(member(call, 'partialArgs'), 'partialArgs')) add(open, piece)
    return member(call, 'willContinue') === true ? ended : [...ended, ...this.#end(candidate)]
  }

  /** Ends the open call as another one begins, unless a text in it continues. */
  #endBefore(candidate: number): readonly JsonObject[] {
    const goesOn = (this.#open.get(candidate)?.openPath ?? '') !== ''
    const ended = this.#end(candidate)
    if (!goesOn) return ended
    this.#broken.set(candidate, [...(this.#broken.get(candidate) ?? []), ...ended])
    return []
  }

  #end(candidate: number): readonly JsonObject[] {
    const call = this.#open.get(candidate)
    if (call === undefined) return []
    this.#open.delete(candidate)
    const { part, args } = call
    const { id, name } = objectOf(member(part, 'functionCall'))
    return [{ ...part, functionCall: { id, name, args: { ...args } } }]
  }
}

/** Object without a prototype, so that a key may have any name. */
type Node = Record<string, unknown>

function isPiece(part: unknown): boolean {
  const call = objectOf(member(objectOf(part), 'functionCall'))
  return member(call, 'willContinue') === true || listOf(member(call, 'partialArgs')).length > 0
}

function beginning(part: JsonObject, call: JsonObject): PartialCall {
  return { part, args: Object.assign(emptyNode(), call.args), openPath: '', characters: 0 }
}

function emptyNode(): Node {
  return Object.create(null)
}

function add(call: PartialCall, piece: JsonObject): void {
  expectMembers(piece, { jsonPath: 'text', stringValue: 'text' })
  const path = textOf(member(piece, 'jsonPath'))
  const text = member(piece, 'stringValue')
  const goesOn = path === call.openPath
  const position = positionOf(call.args, keysOf(path))
  const value = typeof text === 'string' ? text : plainValue(piece)
  call.characters += path.length + (typeof text === 'string' ? text.length : 0)
  if (call.characters > maxCharacters) throw unreadable('are too long')
  const former = position.holder[position.key]
  position.holder[position.key] =
    goesOn && typeof former === 'string' && typeof value === 'string' ? former + value : value
  call.openPath = member(piece, 'willContinue') === true ? path : ''
}

function plainValue(piece: JsonObject): unknown {
  return member(piece, 'numberValue') ?? member(piece, 'boolValue') ?? null
}

const step = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y

/** The keys of a path: `$.foo.bar[0].data`. */
function keysOf(path: string): readonly (string | number)[] {
  const keys: (string | number)[] = []
  step.lastIndex = 1
  while (path.startsWith('$') && step.lastIndex < path.length) {
    const [complete, name, index, single, double] = step.exec(path) ?? []
    if (complete === undefined) break
    keys.push(index === undefined ? (name ?? unescaped(single ?? double ?? '')) : Number(index))
    if (step.lastIndex === path.length) return keys.length <= maxDepth ? keys : []
  }
  return []
}

function unescaped(quoted: string): string {
  return quoted.replace(/\\(.)/g, '$1')
}

/** Returns where a value belongs; what holds it is made on the way. */
function positionOf(args: Node, keys: readonly (string | number)[]) {
  const last = keys.at(-1)
  if (last === undefined || typeof keys[0] === 'number') throw unreadable('have no path')
  let holder: Node | unknown[] = args
  for (const [position, key] of keys.slice(0, -1).entries()) {
    const next: unknown = (holder as Node)[checked(holder, key)]
    const fresh = typeof keys[position + 1] === 'number' ? [] : emptyNode()
    const inner: Node | unknown[] = isHolder(next) ? next : fresh
    ;(holder as Node)[key] = inner // An index of a list is a key like any other.
    holder = inner
  }
  return { holder: holder as Node, key: checked(holder, last) }
}

function isHolder(value: unknown): value is Node | unknown[] {
  return Array.isArray(value) || isObject(value)
}

function checked(holder: Node | unknown[], key: string | number): string | number {
  if (Array.isArray(holder) !== (typeof key === 'number') || Number(key) > maxIndex)
    throw unreadable('contradict each other')
  return key
}

function unreadable(fault: string): MalformedFrameError {
  return new MalformedFrameError(`the upstream sent a call whose arguments ${fault}`)
}
