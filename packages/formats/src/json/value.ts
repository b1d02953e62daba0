import { jsonExcess } from './excess.ts'
import { NumberText } from './number-text.ts'

/** A JSON object as parsed: its members are of any type until looked at. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is a JSON object: no list, no number kept as text, and not null. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  )
}

/** The value as an object; an empty one when it is something else. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : noMembers
}

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : noItems
}

/** The value as a text; an empty one when it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Parses upstream text; `undefined` when it is not JSON (JSON itself has no `undefined`), or nests so deep or has so many parts that
 * parsing it would stop all other calls. Every road to an upstream's JSON leads through here.
 */
export function parseJson(text: string): unknown {
  return jsonExcess(text) === undefined ? parseUnbounded(text) : undefined
}

/** Parses a text that was bounded before. */
export function parseUnbounded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const noMembers: JsonObject = {}
const noItems: readonly unknown[] = []
