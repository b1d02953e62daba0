import type { ChatPart } from '../canonical/stream.ts'
import { parseEvent } from '../json/exact-json.ts'
import { isObject, type JsonObject, parseJson } from '../json/value.ts'
import { MalformedFrameError } from './frame.ts'

/** Tests of a member's shape, by name; a member that is absent or `null` takes none. */
const kinds = {
  text: (value: unknown) => typeof value === 'string',
  object: isObject,
  list: Array.isArray,
  'text or list': (value: unknown) => typeof value === 'string' || Array.isArray(value),
  'text or object': (value: unknown) => typeof value === 'string' || isObject(value),
} as const

/** Shapes that members of an event must have, by name. */
export type MemberShapes = Readonly<Record<string, keyof typeof kinds>>

/**
 * The JSON object of an event.
 * @param key see `parseEvent`; absent where arguments come as text
 * @throws MalformedFrameError for anything else: what an unreadable event said is lost, and with it the sense of the rest
 */
export function eventObject(data: string, key?: string): JsonObject {
  const event = key === undefined ? parseJson(data) : parseEvent(data, key)
  if (isObject(event)) return event
  throw new MalformedFrameError('the upstream sent an event that is no JSON object')
}

/** Shapes of the events that a format is translated from, by their types; other events may hold anything. */
export type EventShapes = Readonly<Record<string, MemberShapes>>

/**
 * Checks an event by its type, see `expectMembers`.
 * @throws MalformedFrameError
 */
export function expectEvent(type: string, event: JsonObject, shapes: EventShapes): void {
  const members = Object.hasOwn(shapes, type) ? shapes[type] : undefined
  if (members !== undefined) expectMembers(event, members)
}

/** Names an item, block or part of an unknown type by its place in the response. */
export function leftOut(position: string, type: string): ChatPart {
  return { type: 'left-out', name: type === '' ? position : `${position} (${type})` }
}

/**
 * Checks the members that an event is translated from. Members that are not named here may be anything: vendors add some
 * every week.
 * @throws MalformedFrameError for one of another type
 */
export function expectMembers(object: JsonObject, shapes: MemberShapes): void {
  for (const name in shapes) {
    const value = object[name]
    const shape = shapes[name]
    if (value === undefined || value === null || shape === undefined || kinds[shape](value)) continue
    throw new MalformedFrameError(`the upstream sent an event whose ${name} is no ${shape}`)
  }
}

/**
 * The objects of a list that may be absent.
 * @throws MalformedFrameError when `list` is not a list, or one of its items not an object
 */
export function objectsOf(list: unknown, name: string): readonly JsonObject[] {
  if (list === undefined || list === null) return none
  if (Array.isArray(list) && list.every(isObject)) return list
  throw new MalformedFrameError(`the upstream sent an event whose ${name} are no objects`)
}

const none: readonly never[] = []
