import { isObject } from '@tollgate/formats'

/**
 * Path of texts of one kind in a body: members by name, `[]` each item of a list, `[type=tool_use]` each item with such a member.
 * `messages[].tool_calls[].id`
 */
export type BodyPath = string

/** Places of several kinds as one tree, so that one walk finds all of them. */
export interface PathTree<Kind extends string> {
  /** A text here is of this kind. */
  readonly kind?: Kind
  readonly members: readonly Member<Kind>[]
  readonly items: readonly ItemTree<Kind>[]
}

interface Member<Kind extends string> {
  readonly name: string
  readonly inner: PathTree<Kind>
}

interface ItemTree<Kind extends string> {
  /** Only items with this member are meant. */
  readonly where?: { readonly name: string; readonly value: string }
  readonly tree: PathTree<Kind>
}

type Step = { readonly member: string } | { readonly where: ItemTree<string>['where'] }

const stepPattern = /\[(?:(\w+)=([\w-]+))?\]|(\w+)/g

/** Reads the places of each kind. */
export function pathTree<Kind extends string>(
  paths: Readonly<Record<Kind, readonly BodyPath[]>>,
): PathTree<Kind> {
  const kinds = Object.entries<readonly BodyPath[]>(paths)
  // The keys of the record are the kinds.
  return treeOf(
    kinds.flatMap(([kind, list]) => list.map((path) => ({ kind: kind as Kind, steps: stepsOf(path) }))),
  )
}

function stepsOf(path: BodyPath): readonly Step[] {
  return [...path.matchAll(stepPattern)].map(([text, name, value, member]): Step => {
    if (!text.startsWith('[')) return { member: member ?? '' }
    return { where: name === undefined || value === undefined ? undefined : { name, value } }
  })
}

interface Path<Kind extends string> {
  readonly kind: Kind
  readonly steps: readonly Step[]
}

function treeOf<Kind extends string>(paths: readonly Path<Kind>[]): PathTree<Kind> {
  const ended = paths.find(({ steps }) => steps.length === 0)
  const groups = new Map<string, { readonly step: Step; readonly inner: Path<Kind>[] }>()
  for (const { kind, steps } of paths) {
    const [step, ...rest] = steps
    if (step === undefined) continue
    const key = JSON.stringify(step)
    const group = groups.get(key) ?? { step, inner: [] }
    group.inner.push({ kind, steps: rest })
    groups.set(key, group)
  }
  const all = [...groups.values()].map(({ step, inner }) => ({ step, tree: treeOf(inner) }))
  return {
    ...(ended !== undefined && { kind: ended.kind }),
    members: all.flatMap(({ step, tree }) => ('member' in step ? [{ name: step.member, inner: tree }] : [])),
    items: all.flatMap(({ step, tree }) =>
      'member' in step ? [] : [{ ...(step.where && { where: step.where }), tree }],
    ),
  }
}

/** Looks for a text at the paths that passes its kind's test. */
export function anyText<Kind extends string>(
  value: unknown,
  tree: PathTree<Kind>,
  tests: Readonly<Record<Kind, (text: string) => boolean>>,
): boolean {
  if (typeof value === 'string') return tree.kind !== undefined && tests[tree.kind](value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return tree.items.length > 0 && anyItem(value, tree, tests)
  const { members } = tree
  for (let at = 0; at < members.length; at++) {
    const { name, inner } = members[at] as Member<Kind> // Below the length.
    const member: unknown = (value as Readonly<Record<string, unknown>>)[name] // It is no list.
    if (member !== undefined && member !== null && anyText(member, inner, tests)) return true
  }
  return false
}

function anyItem<Kind extends string>(
  list: readonly unknown[],
  { items }: PathTree<Kind>,
  tests: Readonly<Record<Kind, (text: string) => boolean>>,
): boolean {
  for (const item of list)
    for (const each of items) if (isMeant(item, each) && anyText(item, each.tree, tests)) return true
  return false
}

/** The value with each text at the places replaced by its kind's map; the same object where nothing changes. */
export function mapTexts<Kind extends string>(
  value: unknown,
  tree: PathTree<Kind>,
  maps: Readonly<Record<Kind, (text: string) => string>>,
): unknown {
  if (typeof value === 'string') return tree.kind === undefined ? value : maps[tree.kind](value)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) =>
      tree.items.reduce(
        (edited, each) => (isMeant(item, each) ? mapTexts(edited, each.tree, maps) : edited),
        item,
      ),
    )
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (!isObject(value)) return value
  const changed = tree.members.flatMap(({ name, inner }) => {
    const member = value[name]
    const mapped = member === undefined ? member : mapTexts(member, inner, maps)
    return mapped === member ? [] : [[name, mapped] as const]
  })
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

function isMeant(item: unknown, { where }: ItemTree<string>): boolean {
  return where === undefined || (isObject(item) && item[where.name] === where.value)
}
