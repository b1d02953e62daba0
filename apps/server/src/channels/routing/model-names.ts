/**
 * Names of models that channels list, each once in memory, however many channels list it. A name stays known when the
 * last channel drops it, until everything is read anew.
 */
export class ModelNames {
  readonly #names = new Map<string, string>()

  /** The one text of this name, from now on. */
  intern(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    this.#names.set(name, name)
    return name
  }

  /** The text that is kept; `undefined` for a name that no channel has had. */
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

/** Name under which a model is looked up: members of a family by its pattern (`gpt-4-gizmo-*`), others as they are. */
export function routingName(model: string): string {
  if (!model.includes('-gizmo-')) return model
  for (const family of families) if (model.startsWith(family)) return `${family}*`
  return model
}

/**
 * Name that stands for a Gemini model with any budget of thoughts at the end of its name (`gemini-2.5-flash-thinking-*`);
 * `undefined` for a name without one. A name of its own comes first, in lists and in prices.
 */
export function anyBudgetName(model: string): string | undefined {
  const name = /^(gemini-.+-thinking)-\d+$/.exec(model)?.[1]
  return name === undefined ? undefined : `${name}-*`
}
