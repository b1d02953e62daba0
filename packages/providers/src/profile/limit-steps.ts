import { isObject, type JsonObject, objectOf } from '@tollgate/formats'
import { anyText, type CompiledPlace, mapTexts } from './body-places.ts'
import type { Draft, Step } from './draft.ts'
import { type CompiledPlaces, placesOf } from './name-places.ts'
import { fits, shortName } from './short-names.ts'
import type { Limits, NameLimit } from './target-profile.ts'

/** The steps of a target's limits, as far as it has any, for bodies of a format. */
export function limitSteps(limits: Limits, format: string, vendor: string): readonly Step[] {
  const places = placesOf(format)
  const { toolName, callId, tools, stops, texts = {} } = limits
  const steps: (Step | undefined)[] = [
    fitTexts(Object.entries(texts)),
    ...(places === undefined ? [] : placedSteps(places)),
  ]
  return steps.filter((step) => step !== undefined)

  function placedSteps(found: CompiledPlaces): readonly (Step | undefined)[] {
    return [
      tools === undefined ? undefined : countStep(found.tools, tools, 'tools', vendor),
      stops === undefined ? undefined : countStep(found.stops, stops, 'stop sequences', vendor),
      toolName &&
        shortenStep(found.toolNames, toolName, (draft, short, name) => draft.toolNames.set(short, name)),
      callId && shortenStep(found.callIds, callId),
    ]
  }
}

/** Shortens names wherever the body has them, so that all of them still name each other. */
function shortenStep(
  places: readonly CompiledPlace[],
  limit: NameLimit,
  note?: (draft: Draft, short: string, name: string) => void,
): Step {
  const isTooLong = (name: string) => !fits(name, limit)
  return (draft) => {
    const shorten = (name: string) => {
      const short = shortName(name, limit)
      if (short !== name) note?.(draft, short, name)
      return short
    }
    for (const place of places) {
      const value = draft.get(place.root)
      if (value !== undefined && anyText(value, place, isTooLong))
        draft.set(place.root, mapTexts(value, place, shorten))
    }
  }
}

/** @throws RequestFault for more than the target takes: leaving some out would change the response */
function countStep(places: readonly CompiledPlace[], most: number, what: string, vendor: string): Step {
  return (draft) => {
    let count = 0
    for (const place of places) count += countAt(draft.get(place.root), place)
    const [first] = places
    if (count > most && first !== undefined)
      draft.refuse(fieldOf(first), `${vendor} takes at most ${most} ${what}, and the call has ${count}`)
  }
}

function countAt(value: unknown, { steps }: CompiledPlace, depth = 0): number {
  const step = steps[depth]
  if (step === undefined) return Array.isArray(value) ? value.length : 0
  if (step.kind === 'member')
    return isObject(value) ? countAt(value[step.name], { root: '', steps }, depth + 1) : 0
  if (!Array.isArray(value)) return 0
  return value.reduce((sum: number, item) => sum + countAt(item, { root: '', steps }, depth + 1), 0)
}

/** The field by the name that callers of its format know. */
function fieldOf({ root, steps }: CompiledPlace): string {
  return [root, ...steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))].join('.')
}

type Bounds = NonNullable<Limits['texts']>[string]

function fitTexts(texts: readonly (readonly [string, Bounds])[]): Step | undefined {
  if (texts.length === 0) return undefined
  return (draft) => {
    for (const [path, bounds] of texts) fitText(draft, path, bounds)
  }
}

/** A text in a field, or in a member of one, that is too long or too short becomes a sum of it: the same for the same caller. */
function fitText(draft: Draft, path: string, { min = 0, max }: Bounds): void {
  const [root = '', member] = path.split('.')
  const value = draft.get(root)
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
