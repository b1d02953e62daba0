/** OpenAI names the models of custom GPTs `gpt-4-gizmo-<id>`: any number of them share one list entry and one price. */
const families = ['gpt-4-gizmo-', 'gpt-4o-gizmo-'] as const

/** Name by which a model is looked up: the pattern of its family (`gpt-4-gizmo-*`), or the name itself. */
export function routingName(model: string): string {
  if (!model.includes('-gizmo-')) return model
  for (const family of families) if (model.startsWith(family)) return `${family}*`
  return model
}

/**
 * Pattern for a Gemini model with any reasoning budget at the end of its name (`gemini-2.5-flash-thinking-*`);
 * `undefined` for a name without one. Lists and prices prefer the exact name.
 */
export function anyBudgetName(model: string): string | undefined {
  const name = /^(gemini-.+-thinking)-\d+$/.exec(model)?.[1]
  return name === undefined ? undefined : `${name}-*`
}

/**
 * The pattern under which lists and limits may have a model beside its own name, which they prefer; the name itself where it is of no
 * family.
 */
export function familyName(model: string): string {
  return anyBudgetName(model) ?? routingName(model)
}
