/**
 * The part of JSON Schema that a target reads, as data. An absent column means that the target reads everything that the
 * column could limit. Every column is a fact of a vendor, so every dialect has its source and the day it was read.
 */
export interface SchemaDialect {
  readonly name: string
  readonly source: string
  /** ISO date on which the source was read. */
  readonly checked: string
  /** Gemini's own language, a part of OpenAPI 3.0, in place of JSON Schema. */
  readonly language?: 'openapi'
  /** Keywords that are read; the others are refused or ignored there. */
  readonly keywords?: ReadonlySet<string>
  /** Values of `format` that are read. */
  readonly formats?: ReadonlySet<string>
  /** Types of the values that an `enum` may hold. */
  readonly enumTypes?: ReadonlySet<string>
  readonly root?: RootRule
  /**
   * Every object says `additionalProperties: false`. `added`: it is added to an object that names its
   * properties and says nothing of others.
   */
  readonly closed?: 'demanded' | 'added'
  /** Every property is required. */
  readonly allRequired?: true
  /** References that lead back to themselves: not at all, or in properties alone that are not required. */
  readonly recursion?: 'none' | 'optional'
  /** `none`: replaced by their targets. `alone`: nothing stands beside them. `described`: nothing but annotations. */
  readonly references?: 'none' | 'alone' | 'described'
  /** References lead to definitions under this address alone. */
  readonly definitions?: '#/$defs/'
  /** Every schema names its type, an alternative or a reference. */
  readonly typed?: true
  /** A list of types is an alternative of schemas there. */
  readonly typeLists?: 'none'
  /** Lists say `items`, objects say `properties`. */
  readonly complete?: true
  /** Only annotations may stand beside `anyOf`. */
  readonly loneAnyOf?: true
  /** An object whose values have a schema and any names cannot be said, not even without the schema. */
  readonly maps?: 'refused'
  /** An object without `additionalProperties` is closed there, so that a free one has to say so. */
  readonly freeObjects?: 'explicit'
  /** Bounds that are not read are repeated in the description, which the model heeds nearly always. */
  readonly bounds?: 'described'
  /** The target guarantees the schema: one that does not fit is better sent without the guarantee. */
  readonly strict?: true
  readonly limits?: SchemaLimits
  /** Most of what all strict schemas of one request hold together. */
  readonly shared?: SharedLimits
}

/** Rules for the outermost schema. */
export interface RootRule {
  /** Keywords that are refused there. */
  readonly without: ReadonlySet<string>
  /** The only keywords that may stand there. */
  readonly only?: ReadonlySet<string>
}

/** Most of what one schema may hold. */
export interface SchemaLimits {
  readonly properties?: number
  /** Objects inside objects. */
  readonly depth?: number
  readonly enumValues?: number
  /** Alternatives of one schema. */
  readonly alternatives?: number
}

/** Most of what the schemas of one request may hold together. */
export interface SharedLimits {
  readonly tools: number
  /** Properties that are not required. */
  readonly optional: number
  /** Schemas with alternatives or several types. */
  readonly unions: number
}

/** Dialects of schemas that one target reads: those of tools, and that of the response. */
export interface SchemaProfile {
  readonly tools: SchemaDialect
  /** Dialect of tools with `strict`; absent where the target knows no such tools, or takes `strict` with any schema. */
  readonly strictTools?: SchemaDialect
  readonly output: SchemaDialect
  readonly strictOutput?: SchemaDialect
  /** The target guarantees every schema of a response that fits, whether or not the caller asks for it. */
  readonly guaranteesOutput?: true
}
