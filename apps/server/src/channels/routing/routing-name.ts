/** OpenAI names the models of custom GPTs `gpt-4-gizmo-<id>`: any number of them share one list entry and one price. */
const families = ['gpt-4-gizmo-', 'gpt-4o-gizmo-'] as const

/** Name under which a model is looked up: members of a family by its pattern (`gpt-4-gizmo-*`), others as they are. */
export function routingName(model: string): string {
  if (!model.includes('-gizmo-')) return model
  for (const family of families) if (model.startsWith(family)) return `${family}*`
  return model
}
