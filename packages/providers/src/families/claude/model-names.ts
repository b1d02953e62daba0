import { type ClaudeModel, claudeModelTable } from './models.ts'

/** Every name of a model at any host. */
function namesOf({ name, aliases = [], bedrock, vertex, foundry }: ClaudeModel): readonly string[] {
  return [name, ...aliases, ...[bedrock, vertex, foundry].filter((each) => each !== undefined)]
}

const byName: ReadonlyMap<string, ClaudeModel> = new Map(
  claudeModelTable.flatMap((model) => namesOf(model).map((name) => [name, model] as const)),
)

const bedrockVendor = 'anthropic.'

/**
 * The model of a name at any host: Anthropic's, dated or not, one with Vertex AI's date, an id of Bedrock's with or without
 * its profile, or an ARN that ends in one; `undefined` for a name that no host lists.
 */
export function findClaudeModel(name: string): ClaudeModel | undefined {
  const vendorAt = name.indexOf(bedrockVendor)
  return byName.get(vendorAt > 0 ? name.slice(vendorAt) : name)
}

/** Recognises the names of Anthropic's models, at any host. */
export function isClaudeName(name: string): boolean {
  return name.startsWith('claude-') || name.includes(bedrockVendor)
}
