/** Families whose members share one entry in model lists and price tables. */
const families = ['gpt-4-gizmo-', 'gpt-4o-gizmo-'] as const

/** Name under which a model is looked up: members of a family by its pattern (`gpt-4-gizmo-*`), others as they are. */
export function routingName(model: string): string {
  // Asked several times for every call, and nearly every name is of no family.
  if (!model.includes('-gizmo-')) return model
  for (const family of families) if (model.startsWith(family)) return `${family}*`
  return model
}
