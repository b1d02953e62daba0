import { cyclesIn } from './cycles.ts'
import type { Edge } from './graph.ts'
import { isProduct } from './product.ts'

/** Folders of one parent that know each other, two of them or more in a circle. */
export interface FolderCircle {
  readonly parent: string
  /** Names, sorted. */
  readonly folders: readonly string[]
  /** Pairs of its folders of which the first imports the second. */
  readonly arrows: number
}

/** Imports between folders of one parent, by the folder that imports and the one that is imported. */
type Siblings = Map<string, Map<string, readonly Edge[]>>

/** Finds the circles of sibling folders at every depth. */
export function folderCircles(edges: readonly Edge[]): readonly FolderCircle[] {
  return [...siblingsByParent(edges)].flatMap(([parent, siblings]) =>
    cyclesIn(siblings.keys(), (folder) => [...(siblings.get(folder)?.keys() ?? [])]).map((members) => ({
      parent,
      folders: members.toSorted(),
      arrows: arrowsAmong(members, siblings).length,
    })),
  )
}

/** Counts the pairs of sibling folders that import each other directly. */
export function mutualPairs(edges: readonly Edge[]): number {
  const found = [...siblingsByParent(edges).values()].flatMap((siblings) =>
    [...siblings].flatMap(([from, known]) => [...known.keys()].filter((to) => siblings.get(to)?.has(from))),
  )
  return found.length / 2
}

/**
 * Compares the circles with the recorded ones, which may only shrink.
 * @returns a text for each that is new or has grown, with its imports, and for each recorded one that is smaller by now
 */
export function circleViolations(
  edges: readonly Edge[],
  recorded: readonly FolderCircle[],
): readonly string[] {
  const siblings = siblingsByParent(edges)
  const found = folderCircles(edges)
  const grown = found.filter((circle) => !recorded.some((known) => holds(known, circle)))
  const stale = recorded.filter((known) => !found.some((circle) => holds(circle, known)))
  return [
    ...grown.map((circle) => grownText(circle, siblings.get(circle.parent))),
    ...stale.map(({ parent, folders }) => {
      const now = found.filter((circle) => circle.parent === parent && !grown.includes(circle))
      return `${parent}: ${folders.join(' ⇄ ')}\n  circles-shrink: record what is left of it, ${JSON.stringify(now)}`
    }),
  ]
}

function holds(outer: FolderCircle, inner: FolderCircle): boolean {
  return (
    outer.parent === inner.parent &&
    inner.arrows <= outer.arrows &&
    inner.folders.every((folder) => outer.folders.includes(folder))
  )
}

function grownText({ parent, folders }: FolderCircle, siblings: Siblings = new Map()): string {
  const arrows = arrowsAmong(folders, siblings).map(({ edges: [first, ...more] }) => {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`
    return `    ${first?.from}:${first?.line} knows ${first?.to}${others}`
  })
  const rule = 'no-folder-circles: folders that know each other cannot be read or changed alone'
  return [`${parent}: ${folders.join(' ⇄ ')}`, `  ${rule}`, ...arrows].join('\n')
}

function arrowsAmong(members: readonly string[], siblings: Siblings): readonly { edges: readonly Edge[] }[] {
  return members.flatMap((from) =>
    members.flatMap((to) => {
      const edges = siblings.get(from)?.get(to)
      return edges === undefined ? [] : [{ edges }]
    }),
  )
}

function siblingsByParent(edges: readonly Edge[]): ReadonlyMap<string, Siblings> {
  const parents = new Map<string, Siblings>()
  for (const edge of edges.filter(isProduct)) {
    const split = splitOf(edge)
    if (split === undefined) continue
    const { parent, from, to } = split
    const siblings = parents.get(parent) ?? new Map()
    const known = siblings.get(from) ?? new Map()
    parents.set(parent, siblings.set(from, known.set(to, [...(known.get(to) ?? []), edge])))
  }
  return parents
}

/** The first folders in which two paths differ; `undefined` where one of the files is in the folder that both share. */
function splitOf(edge: Edge): { parent: string; from: string; to: string } | undefined {
  const [from, to] = [edge.from.split('/'), edge.to.split('/')]
  const depth = from.findIndex((name, index) => name !== to[index])
  const [first, second] = [from[depth], to[depth]]
  const isShared = depth === -1 || depth >= from.length - 1 || depth >= to.length - 1
  if (isShared || first === undefined || second === undefined) return undefined
  return { parent: from.slice(0, depth).join('/'), from: first, to: second }
}
