import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'

/** Types and names by which a choice among tools names one of them; none for `auto` and the like. */
export function chosenTools(choice: unknown): ReadonlySet<string> {
  if (!isObject(choice)) return nothing
  const listed = [...listOf(choice.tools), ...listOf(objectOf(choice.allowed_tools).tools)]
  return new Set([choice, ...listed.map(objectOf)].flatMap(namesOf).filter((name) => name !== ''))
}

/** What a choice may call a tool. */
export function namesOf({ type, name }: JsonObject): readonly string[] {
  return [textOf(type), textOf(name)]
}

const nothing: ReadonlySet<string> = new Set()
