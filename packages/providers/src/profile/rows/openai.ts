import { fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'
import { openAiFamilies, openAiFields, openAiLimits } from './openai-models.ts'
import { undocumented } from './undocumented.ts'

const reference = 'https://platform.openai.com/docs/api-reference/chat/create'

export const openai: ProviderProfile = {
  fields: fact(openAiFields, reference),
  responses: fact(
    { takes: 'any' },
    'https://platform.openai.com/docs/api-reference/responses/create',
    notReadAgain,
  ),
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, reference, notReadAgain),
  limits: fact(openAiLimits, 'https://github.com/microsoft/autogen/issues/6377'),
  schema: fact('openai', 'https://platform.openai.com/docs/guides/structured-outputs', notReadAgain),
  betas: 'none',
  ids: fact('own', 'https://platform.openai.com/docs/models', notReadAgain),
  effortSuffix: true,
  families: openAiFamilies,
}

/** An address of the operator's own: nothing is documented but OpenAI's models. */
export const custom: ProviderProfile = {
  ...undocumented,
  fields: 'unknown',
  ids: 'unknown',
  families: openAiFamilies,
}

/** Services of the past that sold OpenAI's models on, which read what OpenAI reads. */
const reseller: ProviderProfile = { ...custom, schema: openai.schema }

export const openaimax: ProviderProfile = reseller
export const ohmygpt: ProviderProfile = reseller
export const ails: ProviderProfile = reseller
export const aiproxy: ProviderProfile = reseller
export const api2gpt: ProviderProfile = reseller
export const aigc2d: ProviderProfile = reseller
