import {
  type JsonEdits,
  memberTextOf,
  outlineOf,
  parseExactJson,
  type RequestText,
  unsupported,
} from '@tollgate/formats'

const noNames: ReadonlySet<string> = new Set()
const noToolNames: ReadonlyMap<string, string> = new Map()

/** A body while it is fitted to its target. Members that no step changes keep their text; without a change nothing is copied. */
export class Draft {
  /** The call makes the model think, as far as its body and the target's default say. */
  thinks = false
  readonly #request: RequestText
  #edits: JsonEdits
  /** The same edits once they are this draft's own. */
  #own: Map<string, string | undefined> | undefined
  /** Values of edited members, as far as they were read or set. */
  #values: Map<string, unknown> | undefined
  #dropped: Set<string> | undefined
  #toolNames: Map<string, string> | undefined

  /** @param edits made before; steps see their values */
  constructor(request: RequestText, edits: JsonEdits) {
    this.#request = request
    this.#edits = edits
  }

  /** Names of fields that were left out and change the response little. */
  get dropped(): ReadonlySet<string> {
    return this.#dropped ?? noNames
  }

  /** Names of tools as the target knows them, and as the caller does. */
  get toolNames(): ReadonlyMap<string, string> {
    return this.#toolNames ?? noToolNames
  }

  /** The member's value; `undefined` for one that is absent or null. */
  get(name: string): unknown {
    const isEdited = this.#edits.size > 0 && this.#edits.has(name)
    const value = isEdited ? this.#edited(name) : this.#request.body[name]
    return value ?? undefined
  }

  /** The same for those who look at its structure, and at no text of a plain message: nothing is parsed for them. */
  outline(name: string): unknown {
    if (this.#edits.has(name)) return this.get(name)
    return outlineOf(this.#request)[name] ?? undefined
  }

  set(name: string, value: unknown): void {
    this.#write(name, JSON.stringify(value))
    this.#known.set(name, value)
  }

  remove(name: string): void {
    if (this.#edits.has(name) || name in this.#request.body) this.#write(name, undefined)
    this.#values?.delete(name)
  }

  /** Removes a member, and names it to the caller. */
  drop(name: string): void {
    if (this.get(name) !== undefined) this.lose(name)
    this.remove(name)
  }

  /** Names a field to the caller that is left out, or whose meaning is. */
  lose(name: string): void {
    this.#dropped ??= new Set()
    this.#dropped.add(name)
  }

  /** Notes the name by which the target knows a tool of the caller's. */
  nameTool(short: string, name: string): void {
    this.#toolNames ??= new Map()
    this.#toolNames.set(short, name)
  }

  /** The value under another name, byte for byte; one that is there under both keeps its new name. */
  rename(from: string, to: string): void {
    if (this.get(from) === undefined) return
    const text = this.#text(from)
    if (this.get(to) === undefined && text !== undefined) {
      this.#write(to, text)
      this.#values?.delete(to)
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
    const known = this.#known
    if (!known.has(name)) known.set(name, parseExactJson(text))
    return known.get(name)
  }

  get #known(): Map<string, unknown> {
    this.#values ??= new Map()
    return this.#values
  }

  #write(name: string, text: string | undefined): void {
    if (this.#own === undefined) {
      this.#own = new Map(this.#edits)
      this.#edits = this.#own
    }
    this.#own.set(name, text)
  }

  #text(name: string): string | undefined {
    if (this.#edits.has(name)) return this.#edits.get(name)
    return memberTextOf(this.#request, name)
  }
}

/** Changes a draft where its target demands it. @throws RequestFault for what would change the response */
export type Step = (draft: Draft) => void
