import { isObject, type JsonObject, objectOf } from '@tollgate/formats'
import { anyText, mapTexts, type PathTree } from './body-places.ts'
import type { Draft, Step } from './draft.ts'
import { type CompiledPaths, type NameKind, pathsOf } from './name-places.ts'
import { fits, shortName } from './short-names.ts'
import type { Limits, NameLimit } from './target-profile.ts'

/** The steps of a target's limits, as far as it has any, for bodies of a format. */
export function limitSteps(limits: Limits, format: string, vendor: string): readonly Step[] {
  const paths = pathsOf(format)
  const steps: (Step | undefined)[] = [
    fitTexts(Object.entries(limits.texts ?? {})),
    ...(paths === undefined ? [] : placedSteps(limits, paths, vendor)),
  ]
  return steps.filter((step) => step !== undefined)
}

function placedSteps(
  { toolName, callId, tools, stops }: Limits,
  paths: CompiledPaths,
  vendor: string,
): readonly (Step | undefined)[] {
  return [
    tools === undefined ? undefined : countStep(paths.tools, tools, 'tools', vendor),
    stops === undefined ? undefined : countStep(paths.stops, stops, 'stop sequences', vendor),
    toolName === undefined && callId === undefined
      ? undefined
      : shortenStep(paths.names, { toolName, callId }),
  ]
}

/** Shortens names and ids wherever the body has them, so that all of them still name each other. */
function shortenStep(
  names: CompiledPaths['names'],
  limits: Readonly<Record<NameKind, NameLimit | undefined>>,
): Step {
  const { toolName, callId } = limits
  const tests: Readonly<Record<NameKind, (name: string) => boolean>> = {
    toolName: (name) => toolName !== undefined && !fits(name, toolName),
    callId: (id) => callId !== undefined && !fits(id, callId),
  }
  const shorten = (draft: Draft, root: string, value: unknown, changed: PathTree<NameKind>) => {
    const mapped = mapTexts(value, changed, {
      toolName: (name: string) => shortToolName(draft, name, toolName),
      callId: (id: string) => (callId === undefined ? id : shortName(id, callId)),
    })
    if (mapped !== value) draft.set(root, mapped)
  }
  return (draft) => {
    for (const { root, seen, changed } of names) {
      const outline = draft.outline(root)
      if (outline !== undefined && anyText(outline, seen, tests))
        shorten(draft, root, draft.get(root), changed)
    }
  }
}

function shortToolName(draft: Draft, name: string, limit: NameLimit | undefined): string {
  const short = limit === undefined ? name : shortName(name, limit)
  if (short !== name) draft.nameTool(short, name)
  return short
}

/** @throws RequestFault for more than the target takes: leaving some out would change the response */
function countStep(paths: readonly (readonly string[])[], max: number, what: string, vendor: string): Step {
  return (draft) => {
    let count = 0
    for (const path of paths) count += countAt(draft.outline(path[0] ?? ''), path, 1)
    if (count > max)
      draft.refuse(
        paths[0]?.join('.') ?? '',
        `${vendor} takes at most ${max} ${what}, and the call has ${count}`,
      )
  }
}

/** Items of the list at the rest of the path; of a list on the way, those of all its items. */
function countAt(value: unknown, path: readonly string[], at: number): number {
  if (value === undefined) return 0
  const name = path[at]
  if (name === undefined) return Array.isArray(value) ? value.length : 0
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countAt(item, path, at), 0)
  return isObject(value) ? countAt(value[name], path, at + 1) : 0
}

interface TextPath {
  readonly root: string
  readonly member: string | undefined
  readonly bounds: NonNullable<Limits['texts']>[string]
}

type Bounds = TextPath['bounds']

function fitTexts(texts: readonly (readonly [string, Bounds])[]): Step | undefined {
  if (texts.length === 0) return undefined
  const paths = texts.map(([path, bounds]) => {
    const [root = '', member] = path.split('.')
    return { root, member, bounds }
  })
  return (draft) => {
    for (const path of paths) fitText(draft, path)
  }
}

/** A text in a field, or in a member of one, that is too long or too short becomes a sum of it: the same for the same caller. */
function fitText(draft: Draft, { root, member, bounds }: TextPath): void {
  const value = draft.get(root)
  if (value === undefined) return
  const { min = 0, max } = bounds
  const text = member === undefined ? value : objectOf(value)[member]
  if (typeof text !== 'string' || (text.length >= min && text.length <= max)) return
  const fitted = identityOf(text, max)
  draft.set(
    root,
    member === undefined ? fitted : ({ ...objectOf(value), [member]: fitted } satisfies JsonObject),
  )
}

/** Two sums, of the text and of the text turned around: a hundred bits. */
function identityOf(text: string, max: number): string {
  const limit = { max: sumLength, exactly: sumLength, characters: 'alphanumeric' } as const
  const sums = ['a', 'b', 'c'].map((salt) => shortName(`${salt}${text}${salt}`, limit))
  return `id_${sums.join('')}`.slice(0, max)
}

const sumLength = 9
