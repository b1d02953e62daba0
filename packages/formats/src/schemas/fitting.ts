import type { SchemaDialect } from '../canonical/schema-dialect.ts'
import type { JsonObject } from '../json/value.ts'
import { join } from './keywords.ts'
import { type References, readReferences } from './references.ts'

/** Path at which a schema does not fit, and the reason. */
export interface SchemaRefusal {
  readonly path: string
  readonly reason: string
}

/** A schema that fits only by meaning something else. */
export class Unfit extends Error {
  readonly refusal: SchemaRefusal

  constructor(path: string, reason: string) {
    super(reason)
    this.refusal = { path, reason }
  }
}

/** Targets that replace their references: more of them would multiply without end. */
const maxInlined = 5000
/** No request of a size that the gateway takes holds more schemas in one. */
const maxNodes = 150_000

/** State that is known and learned while one schema is fitted to a dialect. */
export class Fitting {
  readonly dialect: SchemaDialect
  readonly #root: JsonObject
  readonly #lost = new Map<string, string>()
  #references: References | undefined
  #inlined = 0
  #nodes = 0

  constructor(root: JsonObject, dialect: SchemaDialect) {
    this.#root = root
    this.dialect = dialect
  }

  get lost(): readonly string[] {
    return [...this.#lost.values()]
  }

  get references(): References {
    this.#references ??= readReferences(this.#root)
    return this.#references
  }

  /** Notes a keyword that the target does not read: its first place stands for all of them. */
  lose(keyword: string, at: string): void {
    if (!this.#lost.has(keyword)) this.#lost.set(keyword, join(at, keyword))
  }

  /** Refuses where the target guarantees the schema, since there is another way to send it; notes it elsewhere. */
  refuseOrLose(keyword: string, at: string, reason: string): void {
    if (this.dialect.strict === true) throw new Unfit(join(at, keyword), reason)
    this.lose(keyword, at)
  }

  /** The target of a reference that may take its place among other schemas: none that contains itself. */
  inline(reference: string): JsonObject | undefined {
    return this.references.isEndless(reference) ? undefined : this.inlineOnce(reference)
  }

  /** The same of one that contains itself, whose own references are left out. */
  inlineOnce(reference: string): JsonObject | undefined {
    const target = this.references.resolve(reference)
    return target === undefined || ++this.#inlined > maxInlined ? undefined : target
  }

  /** @throws Unfit where references have made the schema too large */
  countNode(at: string): void {
    if (++this.#nodes > maxNodes) throw new Unfit(at, 'its references make it too large')
  }
}
