/**
 * Names of models that channels list, each once in memory, however many channels list it. A name stays until everything
 * is reloaded, also when the last channel drops it.
 */
export class ModelNames {
  readonly #names = new Map<string, string>()

  /** The one stored text of this name. */
  intern(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    this.#names.set(name, name)
    return name
  }

  /** The stored text; `undefined` for a name that no channel has listed. */
  find(name: string): string | undefined {
    return this.#names.get(name)
  }

  containing(part: string): readonly string[] {
    const wanted = part.toLowerCase()
    return [...this.#names.keys()].filter((name) => name.toLowerCase().includes(wanted))
  }
}

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
