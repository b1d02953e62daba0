import { type FieldRules, fact, type ModelFamily, type ProviderProfile } from '../target-profile.ts'
import { claudeFamilies } from './claude.ts'
import { notReadAgain } from './dates.ts'
import { gptOss } from './open-weights.ts'
import { openAiFamilies, openAiFields, openAiLimits } from './openai-models.ts'

/** Azure OpenAI and Azure AI Foundry. */

const azureReference = 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference'

/** Models of DeepSeek at Microsoft: `thinking` is an unknown argument there. */
const azureDeepseek: ModelFamily = {
  models: ['*deepseek-v[4-9]*'],
  fields: fact(
    { takes: 'any', drops: ['stream_options', 'thinking', 'prompt_cache_key', 'prompt_cache_retention'] },
    'https://github.com/earendil-works/pi/issues/9645',
  ),
  reasoning: fact(
    { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'does-not-think' },
    'https://github.com/earendil-works/pi/issues/9645',
  ),
}

export const azure: ProviderProfile = {
  fields: fact(openAiFields, 'https://github.com/OpenHands/OpenHands/issues/7700'),
  responses: fact(
    { takes: 'any' },
    'https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses',
    notReadAgain,
  ),
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, azureReference, notReadAgain),
  limits: fact(openAiLimits, 'https://github.com/looplj/axonhub/issues/1669'),
  schema: fact(
    'openai',
    'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/how-to/structured-outputs',
    notReadAgain,
  ),
  betas: 'none',
  ids: fact(
    'deployment',
    'https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses',
    notReadAgain,
  ),
  effortSuffix: true,
  families: [...openAiFamilies, azureDeepseek],
}

const modelInference = 'https://learn.microsoft.com/en-us/rest/api/aifoundry/modelinference/'
const foundryFields: FieldRules = { takes: 'any', drops: ['stream_options'] }
const foundryOpenAi: FieldRules = { ...openAiFields, ...foundryFields }

export const azureAiFoundry: ProviderProfile = {
  fields: fact(foundryFields, modelInference, notReadAgain),
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: 'unknown',
  limits: 'unknown',
  schema: fact('plain', modelInference, notReadAgain),
  betas: fact(
    'foundry',
    'https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry',
    notReadAgain,
  ),
  ids: fact('deployment', modelInference, notReadAgain),
  families: [
    ...openAiFamilies,
    ...claudeFamilies,
    { models: ['gpt-[34]*', 'chatgpt-*'], fields: fact(foundryOpenAi, modelInference, notReadAgain) },
    {
      models: ['o[1-9]*', 'codex-mini*', 'gpt-5*', 'gpt-[6-9]*'],
      fields: fact(
        { ...foundryOpenAi, names: { max_tokens: 'max_completion_tokens' } },
        modelInference,
        notReadAgain,
      ),
    },
    azureDeepseek,
    {
      ...gptOss,
      reasoning: fact(
        { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' },
        'https://learn.microsoft.com/en-us/azure/ai-foundry/foundry-models/how-to/use-chat-reasoning',
        notReadAgain,
      ),
    },
    {
      models: ['*deepseek-r1*', '*phi-4*reasoning*'],
      reasoning: fact(
        { switch: 'always', efforts: [], unasked: 'thinks' },
        'https://learn.microsoft.com/en-us/azure/ai-foundry/foundry-models/how-to/use-chat-reasoning',
        notReadAgain,
      ),
    },
  ],
}
