import { type FieldRules, fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

const reference = 'https://docs.mistral.ai/api/'
const reasoning = 'https://docs.mistral.ai/capabilities/reasoning/adjustable'
const alias =
  'https://raw.githubusercontent.com/anomalyco/models.dev/3f2765a58f8466f6d96dade1b4843189eeb6360b/providers/mistral/models/mistral-medium-latest.toml'

/** Any other field is refused with 422, and any other member of a message. */
const fields: FieldRules = {
  takes: [
    ...['model', 'messages', 'temperature', 'top_p', 'max_tokens', 'stream', 'stop', 'random_seed', 'n'],
    ...['response_format', 'tools', 'tool_choice', 'parallel_tool_calls', 'presence_penalty'],
    ...['frequency_penalty', 'prediction', 'safe_prompt', 'prompt_mode', 'reasoning_effort'],
  ],
  names: { seed: 'random_seed', max_completion_tokens: 'max_tokens' },
  values: { tool_choice: { required: 'any' } },
  messages: {
    takes: {
      assistant: ['role', 'content', 'tool_calls', 'prefix'],
      tool: ['role', 'content', 'tool_call_id', 'name'],
      other: ['role', 'content'],
    },
    roles: { developer: 'system' },
    // "must have either content or tool_calls": https://github.com/OpenHands/OpenHands/issues/8685 (2025-05-24)
    silent: 'refused',
  },
}

/** Fill in the middle. */
const completions: FieldRules = {
  takes: [
    ...['model', 'prompt', 'suffix', 'temperature', 'top_p', 'max_tokens', 'min_tokens', 'stream', 'stop'],
    ...['random_seed', 'metadata'],
  ],
  names: { seed: 'random_seed' },
  refuses: {
    n: 'Mistral completes a prompt once',
    best_of: 'Mistral completes a prompt once',
    echo: 'Mistral does not repeat the prompt',
    logprobs: 'Mistral gives no probabilities',
  },
}

const embeddings: FieldRules = {
  takes: ['model', 'input', 'encoding_format', 'output_dimension', 'output_dtype', 'metadata'],
  names: { dimensions: 'output_dimension' },
}

export const mistral: ProviderProfile = {
  fields: fact(fields, reference, notReadAgain),
  responses: 'none',
  reasoning: fact(
    { switch: 'never', efforts: [], unasked: 'does-not-think' },
    'https://github.com/NousResearch/hermes-agent/issues/11243',
  ),
  sampling: 'unknown',
  // Reasoning goes back as parts of the content.
  history: fact(
    { reasoning: 'forbidden', field: 'reasoning_content', refusesOtherNames: true },
    reference,
    notReadAgain,
  ),
  limits: fact(
    {
      toolName: { max: 64, characters: 'word' },
      callId: { max: 9, exactly: 9, characters: 'alphanumeric' },
    },
    'https://docs.mistral.ai/capabilities/function_calling',
    notReadAgain,
  ),
  schema: fact('plain', 'https://docs.mistral.ai/capabilities/structured_output', notReadAgain),
  betas: 'none',
  ids: fact('own', reasoning),
  families: [
    {
      models: ['magistral*'],
      reasoning: fact(
        { switch: 'prompt-mode', efforts: [], unasked: 'thinks' },
        'https://docs.mistral.ai/capabilities/reasoning/native',
        notReadAgain,
      ),
    },
    {
      models: [
        ...['mistral-small-latest', 'mistral-small-260*', 'mistral-small-4*'],
        ...['mistral-medium-3.5*', 'mistral-medium-3-5*', 'mistral-medium-260*'],
      ],
      reasoning: fact({ switch: 'effort', efforts: ['none', 'high'], unasked: 'does-not-think' }, reasoning),
    },
    {
      models: ['mistral-medium-latest'],
      reasoning: fact({ switch: 'effort', efforts: ['none', 'high'], unasked: 'does-not-think' }, alias),
    },
    { models: ['mistral-large-4*'], reasoning: 'unknown' },
  ],
  modes: {
    completions: fact(completions, 'https://docs.mistral.ai/api/endpoint/fim', notReadAgain),
    embeddings: fact(embeddings, 'https://docs.mistral.ai/api/endpoint/embeddings', notReadAgain),
  },
}
