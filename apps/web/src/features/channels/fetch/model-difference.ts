/** Difference of a channel's models from those that its upstream lists. */
export interface ModelDifference {
  /** Listed, and not in the channel. */
  readonly added: readonly string[]
  /** Models in the channel that are no longer listed: neither by their own names nor by those they are mapped to. */
  readonly removed: readonly string[]
}

/** @param mapping requested to upstream model; chains are followed */
export function modelDifference(
  listed: readonly string[],
  models: readonly string[],
  mapping: ReadonlyMap<string, string>,
): ModelDifference {
  const [offered, present] = [new Set(listed), new Set(models)]
  return {
    added: listed.filter((name) => !present.has(name)),
    removed: models.filter((name) => !offered.has(upstreamName(name, mapping))),
  }
}

function upstreamName(model: string, mapping: ReadonlyMap<string, string>): string {
  let name = model
  // Each step leads to another name, or the mapping has a circle.
  for (let step = 0; step <= mapping.size; step += 1) {
    const next = mapping.get(name)
    if (next === undefined || next === name) return name
    name = next
  }
  return name
}

/** The models after a difference was applied, in their order, with the new ones at the end. */
export function withDifference(
  models: readonly string[],
  { added, removed }: ModelDifference,
): readonly string[] {
  const gone = new Set(removed)
  return [...new Set([...models.filter((name) => !gone.has(name)), ...added])]
}
