import { anthropicFacts } from './anthropic.ts'
import { googleFacts } from './google.ts'
import type { ModelFacts } from './model-facts.ts'
import { openAiFacts } from './openai.ts'
import { otherFacts } from './others.ts'

export { type ModelCapability, type ModelFacts, modelCapabilities } from './model-facts.ts'

const known: ReadonlyMap<string, ModelFacts> = new Map([
  ...openAiFacts,
  ...anthropicFacts,
  ...googleFacts,
  ...otherFacts,
])

/** Path of whoever serves the model, as platforms put it before the maker's own name. */
const path = /^.*\//
/** Says which release of a model, how it is served or asked, and not which model. */
const release = /(-20\d{6}|-20\d\d-\d\d-\d\d|-latest|-thinking|-maas)$/

/** What is publicly known of a model; `undefined` for one that no maker in the table has published. */
export function modelFacts(name: string): ModelFacts | undefined {
  return factsByName(name) ?? factsByName(name.replace(path, ''))
}

function factsByName(name: string): ModelFacts | undefined {
  const found = known.get(name)
  if (found !== undefined) return found
  const shorter = name.replace(release, '')
  return shorter === name ? undefined : factsByName(shorter)
}
