import { fact, type ProviderProfile } from '../target-profile.ts'
import { claudeFamilies, claudeLimits } from './claude.ts'
import { notReadAgain } from './dates.ts'

/** Anthropic, Amazon and Cohere, in formats of their own. */

export const anthropicReference = 'https://platform.claude.com/docs/en/api/messages/create'

export const anthropic: ProviderProfile = {
  fields: 'unknown',
  responses: 'none',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: 'unknown',
  limits: fact(claudeLimits, anthropicReference, notReadAgain),
  schema: fact(
    'claude',
    'https://platform.claude.com/docs/en/build-with-claude/structured-outputs',
    notReadAgain,
  ),
  betas: fact('anthropic', 'https://platform.claude.com/docs/en/api/beta-headers', notReadAgain),
  ids: fact('own', 'https://platform.claude.com/docs/en/about-claude/models/overview', notReadAgain),
  families: claudeFamilies,
}

const converse = 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html'

export const aws: ProviderProfile = {
  fields: 'unknown',
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: 'unknown',
  limits: fact(
    { toolName: { max: 64, characters: 'word' }, callId: { max: 64, characters: 'word' } },
    converse,
    notReadAgain,
  ),
  schema: fact(
    'plain',
    'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolInputSchema.html',
    notReadAgain,
  ),
  betas: 'none',
  ids: fact(
    'own',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html',
    notReadAgain,
  ),
  families: [
    {
      models: ['*claude*'],
      // Anthropic's own format has its own limits here, too.
      limits: fact(claudeLimits, 'https://github.com/headroomlabs-ai/headroom/pull/2129'),
      schema: fact(
        'claude',
        'https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html',
        notReadAgain,
      ),
      betas: fact(
        'bedrock',
        'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html',
        notReadAgain,
      ),
      ids: fact(
        'table',
        'https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html',
        notReadAgain,
      ),
    },
    ...claudeFamilies,
  ],
}

const never = { switch: 'never', efforts: [], unasked: 'does-not-think' } as const
const cohereReasoning = 'https://docs.cohere.com/docs/reasoning'

export const cohere: ProviderProfile = {
  fields: 'unknown',
  responses: 'none',
  reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'thinks' }, cohereReasoning, notReadAgain),
  sampling: 'unknown',
  history: 'unknown',
  limits: fact({ stops: 5 }, 'https://docs.cohere.com/reference/chat', notReadAgain),
  schema: 'unknown',
  betas: 'none',
  ids: fact('own', cohereReasoning, notReadAgain),
  families: [
    {
      models: [
        ...[
          'command',
          'command-light*',
          'command-nightly',
          'command-r*',
          'command-a-0*',
          'command-a-vision*',
        ],
        ...['command-a-translate*', 'c4ai-*', 'aya*', 'tiny-aya*'],
      ],
      reasoning: fact(never, cohereReasoning, notReadAgain),
    },
  ],
}
