import type { ProviderProfile } from '../target-profile.ts'

/** Columns of a profile where the vendor documents no more than OpenAI's form. */
export const undocumented = {
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: 'unknown',
  limits: 'unknown',
  schema: 'unknown',
  betas: 'none',
} as const satisfies Partial<ProviderProfile>

/** The profile of requests in a form of its own, which its encoder fits. */
export const formOfItsOwn: ProviderProfile = {
  ...undocumented,
  fields: 'unknown',
  responses: 'none',
  ids: 'unknown',
}
