/**
 * How many times a prompt token a completion token costs, by model name. Most families have their ratio
 * built into pricing; named here are the models that those rules leave open.
 */
export const defaultCompletionRatios: Readonly<Record<string, number>> = {
  'gpt-4-gizmo-*': 2,
  'gpt-4o-gizmo-*': 3,
  'gpt-4-all': 2,
  'gpt-image-1': 8,
}
