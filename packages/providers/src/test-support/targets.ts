import { type JsonObject, RequestFault } from '@tollgate/formats'
import { profileOf } from '../profile/profile-of.ts'
import { profileResolver, type ResolvedProfile } from '../profile/resolve-profile.ts'
import type { ProviderProfile } from '../profile/target-profile.ts'
import { providers } from '../registry.ts'
import { type DialectName, type ReachedBody, reachedBody } from './translated-body.ts'

/** A name that a pattern means: each set is its first character, any text is nothing or a word. */
function nameOf(pattern: string): string {
  const name = pattern.replace(/\[!.*?\]/g, '~').replace(/\[(.).*?\]/g, '$1')
  return name.replace(/^\*/, '').replace(/\*$/, '').replaceAll('*', '-x-')
}

/** A model of a provider, one for each family of its profile. */
export interface Target {
  readonly name: string
  readonly provider: (typeof providers)[number]
  readonly model: string
  readonly profile: ResolvedProfile
}

/** Every provider with chat, by every family of models that its profile tells apart. */
export const targets: readonly Target[] = providers.flatMap((provider) => {
  const entry = profileOf(provider.id)
  if ('chat' in entry) return []
  const resolve = profileResolver(entry)
  return modelsOf(entry).map((model) => ({
    name: `${provider.id} ${model}`,
    provider,
    model,
    profile: resolve(model),
  }))
})

function modelsOf({ families = [] }: ProviderProfile): readonly string[] {
  return [...new Set(['a-model', ...families.flatMap(({ models }) => models.map(nameOf))])]
}

/** The body as a target gets it; `undefined` where it does not serve the call at all: a model without tools, an application without options. */
export function reach(
  { provider, model }: Target,
  dialect: DialectName,
  body: JsonObject,
): ReachedBody | undefined {
  try {
    return reachedBody(provider, model, dialect, body)
  } catch (error) {
    if (error instanceof RequestFault) return undefined
    throw error
  }
}
