import { isObject, type JsonEdits, objectOf, type RequestText } from '@tollgate/formats'
import type { AdaptPlan } from './adapt.ts'
import { Draft } from './draft.ts'

/**
 * Makes what a body says of thinking one word again after the operator's edits: where these say it, what the caller or the fit said
 * otherwise goes, and the vendor's own switch follows. The operator's members stay as they were written.
 * @param before the edits that the operator's were laid over
 * @param after with the operator's
 */
export function followOverride(
  { reasoning }: AdaptPlan,
  request: RequestText,
  before: JsonEdits,
  after: JsonEdits,
): JsonEdits {
  if (reasoning === undefined || reasoning.paths.length < 2) return after
  const [former, draft] = [new Draft(request, before), new Draft(request, after)]
  const stated = reasoning.paths.filter((path) => isStated(draft, former, path))
  if (stated.length === 0) return after
  const own = stated.map((path) => [path, read(draft, path)] as const)
  for (const path of reasoning.paths) if (!stated.includes(path)) write(draft, path, undefined)
  reasoning.step(draft)
  for (const [path, value] of own) write(draft, path, value)
  return draft.edits
}

/** A member that the operator only removed says nothing. */
function isStated(draft: Draft, former: Draft, path: string): boolean {
  const value = read(draft, path)
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(read(former, path))
}

function read(draft: Draft, path: string): unknown {
  const [root = '', member] = path.split('.')
  const value = draft.get(root)
  return member === undefined ? value : (objectOf(value)[member] ?? undefined)
}

function write(draft: Draft, path: string, value: unknown): void {
  const [root = '', member] = path.split('.')
  if (member === undefined) {
    if (value === undefined) draft.remove(root)
    else draft.set(root, value)
    return
  }
  const holder = draft.get(root)
  if (value === undefined && !(isObject(holder) && member in holder)) return
  const { [member]: _former, ...others } = objectOf(holder)
  const members = value === undefined ? others : { ...others, [member]: value }
  if (Object.keys(members).length === 0) draft.remove(root)
  else draft.set(root, members)
}
