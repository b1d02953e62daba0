import { type JsonEdits, memberText, parseExactJson, type RequestText, unsupported } from '@tollgate/formats'

/** A body while it is fitted to its target. Members that no step changes keep their text. */
export class Draft {
  /** Names of fields that were left out and change the response little. */
  readonly dropped = new Set<string>()
  /** Names of tools as the target knows them, and as the caller does. */
  readonly toolNames = new Map<string, string>()
  /** The call makes the model think, as far as its body and the target's default say. */
  thinks = false
  readonly #request: RequestText
  readonly #edits: Map<string, string | undefined>
  readonly #values = new Map<string, unknown>()

  /** @param edits made before; steps see their values */
  constructor(request: RequestText, edits: JsonEdits) {
    this.#request = request
    this.#edits = new Map(edits)
  }

  /** The member's value; `undefined` for one that is absent or null. */
  get(name: string): unknown {
    const value = this.#edits.has(name) ? this.#edited(name) : this.#request.body[name]
    return value ?? undefined
  }

  set(name: string, value: unknown): void {
    this.#edits.set(name, JSON.stringify(value))
    this.#values.set(name, value)
  }

  remove(name: string): void {
    if (this.#edits.has(name) || name in this.#request.body) this.#edits.set(name, undefined)
    this.#values.delete(name)
  }

  /** Removes a member, and names it to the caller. */
  drop(name: string): void {
    if (this.get(name) !== undefined) this.dropped.add(name)
    this.remove(name)
  }

  /** The value under another name, byte for byte; one that is there under both keeps its new name. */
  rename(from: string, to: string): void {
    if (this.get(from) === undefined) return
    const text = this.#text(from)
    if (this.get(to) === undefined && text !== undefined) {
      this.#edits.set(to, text)
      this.#values.delete(to)
    }
    this.remove(from)
  }

  /** @throws RequestFault that names a field, and the vendor that does not take it */
  refuse(name: string, why: string): never {
    throw unsupported(name, why)
  }

  /** Names of all members that are there, null or not. */
  names(): readonly string[] {
    const all = new Set([...Object.keys(this.#request.body), ...this.#edits.keys()])
    return [...all].filter((name) => !this.#edits.has(name) || this.#edits.get(name) !== undefined)
  }

  get edits(): JsonEdits {
    return this.#edits
  }

  #edited(name: string): unknown {
    const text = this.#edits.get(name)
    if (text === undefined) return undefined
    if (!this.#values.has(name)) this.#values.set(name, parseExactJson(text))
    return this.#values.get(name)
  }

  #text(name: string): string | undefined {
    if (this.#edits.has(name)) return this.#edits.get(name)
    const member = this.#request.scan.members.get(name)
    return member === undefined ? undefined : memberText(this.#request.text, member)
  }
}

/** Changes a draft where its target demands it. @throws RequestFault for what would change the response */
export type Step = (draft: Draft) => void
