import type { chatCodecs } from '../../codecs.ts'
import type { JsonObject } from '../../json/value.ts'

/**
 * Outcome for a caller's field on its way to another format: it is in the upstream's body, the caller is warned by the field's name, or
 * the request is refused by it. Proofs of one vendor are withheld from every other, without a word.
 */
export type Outcome = 'carried' | 'warned' | 'refused' | 'withheld'
export type Format = keyof typeof chatCodecs

export interface Feature {
  readonly name: string
  /** Fields of the body to compare it with; none by default. */
  readonly base?: JsonObject
  readonly fields?: JsonObject
  /** A part behind the user's text. */
  readonly content?: JsonObject
  /** Turns behind the user's. */
  readonly turns?: readonly JsonObject[]
  /** Name in a warning or a refusal. */
  readonly field: string
  /** Text that only an upstream's body with the feature has; by default a change of the body is enough. */
  readonly mark?: string
  /** The outcome per format; formats without an entry carry the feature. */
  readonly to?: Readonly<Partial<Record<Format, Outcome>>>
}

export const schema = {
  type: 'object',
  properties: {
    city: { anyOf: [{ $ref: '#/$defs/city' }, { type: 'null' }] },
    unit: { type: 'string', enum: ['c', 'f'] },
  },
  required: ['city'],
  $defs: { city: { type: 'string', description: 'city-mark' } },
}
export const png = 'iVBORw0KGgo='
export const pdf = 'JVBERi0xLjQ='
export const wav = 'UklGRiQAAAA='
export const url = 'https://files.example.com/a.png'
