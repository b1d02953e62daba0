import { isObject, type JsonObject } from '../json/value.ts'
import { eachSchema } from './keywords.ts'

/** Lookup of a schema's references, which also knows those that lead back to themselves. */
export interface References {
  /** The target of a reference; `undefined` for one that leads elsewhere or nowhere. */
  resolve(reference: string): JsonObject | undefined
  /** True when any reference leads to a schema around it. */
  readonly areCyclic: boolean
  /** Returns whether the reference of this schema leads to a schema around it. */
  leadsBack(schema: JsonObject): boolean
  /** Returns whether the target of a reference contains itself. */
  isEndless(reference: string): boolean
}

/** Reads the references of a schema, once. Takes time in proportion to its size. */
export function readReferences(root: JsonObject): References {
  const targets = new Map<string, JsonObject | undefined>()
  const resolve = (reference: string) => {
    if (!targets.has(reference)) targets.set(reference, targetOf(root, reference))
    return targets.get(reference)
  }
  const found = holdersIn(root)
  if (found.length === 0) return noReferences
  for (const holder of found) resolve(String(holder.$ref))
  const graph = new Graph(root, new Set([...targets.values()].filter((target) => target !== undefined)))
  // The root may be made of a target's members: those count as the target's.
  for (const target of targets.values()) if (target !== undefined) graph.walk(target, resolve)
  graph.walk(root, resolve)
  const cycles = graph.cycles()
  const holders = new Set(cycles.map(({ holder }) => holder))
  const endless = new Set(cycles.map(({ to }) => to))
  const isEndless = (reference: string) => {
    const target = resolve(reference)
    return target !== undefined && endless.has(target)
  }
  return {
    resolve,
    areCyclic: cycles.length > 0,
    isEndless,
    // What was made of several schemas stands nowhere in the root: its target decides.
    leadsBack: (schema) =>
      typeof schema.$ref === 'string' && (graph.knows(schema) ? holders.has(schema) : isEndless(schema.$ref)),
  }
}

const noReferences: References = {
  resolve: () => undefined,
  areCyclic: false,
  leadsBack: () => false,
  isEndless: () => false,
}

function holdersIn(root: JsonObject): readonly JsonObject[] {
  const found: JsonObject[] = []
  const seen = new Set<JsonObject>()
  const open: unknown[] = [root]
  const visit = (schema: unknown): void => {
    if (!isObject(schema) || seen.has(schema)) return
    seen.add(schema)
    if (typeof schema.$ref === 'string') {
      found.push(schema)
      // A target outside the places of schemas has references of its own.
      open.push(targetOf(root, schema.$ref))
    }
    eachSchema(schema, visit)
  }
  while (open.length > 0) visit(open.pop())
  return found
}

/** https://www.rfc-editor.org/rfc/rfc6901 */
function targetOf(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const holder: JsonObject = isObject(found) || Array.isArray(found) ? (found as JsonObject) : {}
    found = Object.hasOwn(holder, name) ? holder[name] : undefined
  }
  return isObject(found) ? found : undefined
}

interface Link {
  readonly from: JsonObject
  readonly to: JsonObject
  readonly holder: JsonObject | undefined
}

/** Targets of references, linked with the targets that they contain or refer to. */
class Graph {
  readonly #targets: ReadonlySet<JsonObject>
  readonly #links: Link[] = []
  readonly #walked = new Set<JsonObject>()
  readonly #root: JsonObject

  constructor(root: JsonObject, targets: ReadonlySet<JsonObject>) {
    this.#root = root
    this.#targets = targets
  }

  walk(start: JsonObject, resolve: References['resolve']): void {
    const visit = (schema: unknown, around: JsonObject): void => {
      if (!isObject(schema)) return
      const isTarget = this.#targets.has(schema)
      if (isTarget && schema !== around) this.#links.push({ from: around, to: schema, holder: undefined })
      if (this.#walked.has(schema)) return
      this.#walked.add(schema)
      const inside = isTarget ? schema : around
      const target = typeof schema.$ref === 'string' ? resolve(schema.$ref) : undefined
      if (target !== undefined) this.#links.push({ from: inside, to: target, holder: schema })
      eachSchema(schema, (inner) => visit(inner, inside))
    }
    visit(start, this.#targets.has(start) ? start : this.#root)
  }

  /** Removes what no cycle leads to and what leads to no cycle: the links that remain are those of cycles. */
  cycles(): readonly Link[] {
    const forward = peeled(
      this.#links,
      (link) => link.from,
      (link) => link.to,
    )
    return peeled(
      forward,
      (link) => link.to,
      (link) => link.from,
    )
  }

  knows(schema: JsonObject): boolean {
    return this.#walked.has(schema)
  }
}

type End = (link: Link) => JsonObject

/** The links without those whose beginning no link leads to, again and again. */
function peeled(links: readonly Link[], beginning: End, end: End): readonly Link[] {
  const incoming = new Map<JsonObject, number>()
  const outgoing = new Map<JsonObject, Link[]>()
  for (const link of links) {
    incoming.set(end(link), (incoming.get(end(link)) ?? 0) + 1)
    const same = outgoing.get(beginning(link))
    if (same === undefined) outgoing.set(beginning(link), [link])
    else same.push(link)
  }
  const open = [...outgoing.keys()].filter((schema) => !incoming.has(schema))
  const removed = new Set<Link>()
  for (let schema = open.pop(); schema !== undefined; schema = open.pop())
    for (const link of outgoing.get(schema) ?? []) {
      removed.add(link)
      const left = (incoming.get(end(link)) ?? 0) - 1
      incoming.set(end(link), left)
      if (left === 0) open.push(end(link))
    }
  return links.filter((link) => !removed.has(link))
}
