import type { JsonObject } from '../../json/value.ts'
import type { Fitting } from '../fitting.ts'

/** One step of fitting a schema to a dialect, without the schemas in it. Returns the same object where nothing changes. */
export type Step = (schema: JsonObject, at: string, fitting: Fitting) => JsonObject

/** Returns whether the target reads a keyword. */
export function isRead(key: string, { dialect }: Fitting): boolean {
  return dialect.keywords?.has(key) ?? true
}
