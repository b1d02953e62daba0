import type { CallRules } from '../canonical/codec.ts'
import type { Stop, StopReason } from '../canonical/response.ts'
import { isObject, parseJson, textOf } from '../json/value.ts'

/** The arguments of a call without any. */
const noArguments = '{}'

/**
 * The arguments of a call as callers of a format get them; `undefined` when they are not whole, or no arguments at all. Servers
 * say `null`, `""` or nothing for a tool without parameters, and some encode the object twice.
 */
export function wholeArguments(text: string, rules: CallRules): string | undefined {
  const stated = text.trim()
  if (stated === '') return noArguments
  if (stated.startsWith('{'))
    return stated.endsWith('}') && parseJson(stated) !== undefined ? text : undefined
  const value = parseJson(stated)
  if (value === null || value === '') return noArguments
  if (!rules.takesObjects) return value === undefined ? undefined : text
  if (Array.isArray(value) && value.length === 0) return noArguments
  return typeof value === 'string' && startsObject(value) ? wholeArguments(value, rules) : undefined
}

/** Returns whether arguments begin as nearly all do: such may pass while they come. */
export function startsObject(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Returns arguments as text; a few servers send them parsed. */
export function argumentsText(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : textOf(value)
}

/** The text of arguments that their upstream left unfinished, though it holds a value: no reader takes it for JSON. */
export function unfinished(json: string): string {
  return json.slice(0, -1)
}

/** Ends at which the upstream itself says that a call may be cut. */
const interruptions: ReadonlySet<StopReason> = new Set(['length', 'content-filter', 'refused'])

/** Returns whether an end explains that the last call is not whole. */
export function isInterruption({ reason }: Stop): boolean {
  return interruptions.has(reason)
}

/**
 * Returns the reason that the caller reads for the end of a candidate: calls are the reason where the upstream names none or a plain
 * end (OpenAI does so for a forced call), and a matched stop sequence is one of the caller's, whatever else servers write into that
 * member.
 * @param sequences what the caller set; `undefined` where that is not known
 */
export function stopFor(stop: Stop, hasCalls: boolean, sequences: readonly string[] | undefined): Stop {
  if (stop.reason === 'stop' && hasCalls) return { reason: 'tool-calls' }
  const { sequence } = stop
  if (sequence === undefined || sequences === undefined || sequences.includes(sequence)) return stop
  return { reason: stop.reason }
}
