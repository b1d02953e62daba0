import type { JsonEdits, JsonScan } from './json-text.ts'
import type { JsonObject } from './json-value.ts'

/** A JSON body on its way to an upstream: its text, and its members as parsed. */
export interface RequestText {
  readonly text: string
  readonly scan: JsonScan
  readonly body: JsonObject
}

/**
 * Edits that one upstream needs beyond the common ones: new JSON text by top-level key, `undefined` removes the key.
 * @param model the model's name upstream
 */
export type RequestQuirks = (request: RequestText, model: string) => JsonEdits
