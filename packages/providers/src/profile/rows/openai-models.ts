import {
  type FieldRules,
  fact,
  type Limits,
  type ModelFamily,
  type SamplingRules,
} from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

/** Facts about OpenAI's own models, wherever they are hosted. */

const reasoningGuide = 'https://platform.openai.com/docs/guides/reasoning'
const reference = 'https://platform.openai.com/docs/api-reference/chat/create'
const newerNames = 'https://platform.openai.com/docs/guides/latest-model'

const refusedSampling = [
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
  ...['logprobs', 'top_logprobs', 'logit_bias'],
] as const
const accepts = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0 } as const
const always: SamplingRules = { refuses: refusedSampling, when: 'always', accepts }
const whileThinking: SamplingRules = { refuses: refusedSampling, when: 'reasoning', accepts }
const none: SamplingRules = { refuses: [], when: 'always' }

const neverThinks = fact(
  { switch: 'never', efforts: [], unasked: 'does-not-think' } as const,
  reasoningGuide,
  notReadAgain,
)
const lowToHigh = {
  switch: 'effort',
  efforts: ['low', 'medium', 'high'],
  unasked: 'thinks',
} as const

/**
 * "Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL":
 * https://github.com/OpenHands/OpenHands/issues/7700 (2025-04-22); "for tool messages, only type `text` is supported": the reference.
 */
export const openAiFields: FieldRules = { takes: 'any', messages: { media: 'user' } }

const plainFields = fact(openAiFields, reference)
const reasoningFields = fact<FieldRules>(
  { ...openAiFields, names: { max_tokens: 'max_completion_tokens' } },
  reference,
  notReadAgain,
)

/** The first reasoning models refuse `stop`; later ones take it again. */
const withoutStop = fact<FieldRules>(
  { ...reasoningFields.value, refuses: { stop: 'the model takes no stop sequences' } },
  'https://github.com/huggingface/smolagents/issues/1671',
)

/** Families of OpenAI's models, by the names that OpenAI gives them; an effort or a date may stand at the end. */
export const openAiFamilies: readonly ModelFamily[] = [
  {
    models: ['gpt-3*', 'gpt-4*', 'chatgpt-*', 'ft:gpt-3*', 'ft:gpt-4*', 'davinci-*', 'babbage-*'],
    fields: plainFields,
    reasoning: neverThinks,
    sampling: fact(none, reference, notReadAgain),
  },
  {
    models: ['*-search-preview*'],
    sampling: fact(
      { refuses: ['temperature'], when: 'always' },
      'https://platform.openai.com/docs/guides/tools-web-search',
      notReadAgain,
    ),
  },
  {
    models: ['o[1-9]*', 'codex-mini*'],
    fields: withoutStop,
    reasoning: fact(lowToHigh, reasoningGuide, notReadAgain),
    sampling: fact(always, reasoningGuide, notReadAgain),
  },
  {
    models: ['o1-mini*', 'o1-preview*'],
    reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, reasoningGuide, notReadAgain),
  },
  {
    models: ['gpt-5*'],
    fields: withoutStop,
    reasoning: fact(
      { switch: 'effort', efforts: ['minimal', 'low', 'medium', 'high'], unasked: 'thinks' },
      reasoningGuide,
      notReadAgain,
    ),
    sampling: fact(always, newerNames, notReadAgain),
  },
  {
    models: ['gpt-5-codex*'],
    reasoning: fact(lowToHigh, 'https://platform.openai.com/docs/models/gpt-5-codex', notReadAgain),
  },
  {
    models: ['gpt-5-pro*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['high'], unasked: 'thinks' },
      'https://github.com/anomalyco/models.dev/pull/331',
    ),
  },
  { models: ['gpt-5-chat*'], reasoning: neverThinks, sampling: fact(none, reference, notReadAgain) },
  {
    models: ['gpt-5.[1-9]*', 'gpt-5-chat*', 'o1-mini*', 'o1-preview*'],
    fields: reasoningFields,
  },
  {
    models: ['gpt-5.1*'],
    reasoning: fact(
      {
        switch: 'effort',
        efforts: ['none', 'low', 'medium', 'high'],
        unasked: 'does-not-think',
      },
      'https://learn.microsoft.com/en-us/javascript/api/@azure/ai-projects/reasoningeffort',
    ),
    sampling: fact(whileThinking, newerNames, notReadAgain),
  },
  {
    models: ['gpt-5.[2-5]*'],
    reasoning: fact(
      {
        switch: 'effort',
        efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
        unasked: 'does-not-think',
      },
      'https://docs.rs/crate/meerkat-core/0.6.25/source/src/model_profile/capabilities/openai.rs',
    ),
    sampling: fact(whileThinking, newerNames, notReadAgain),
  },
  {
    models: ['gpt-5.[6-9]*'],
    reasoning: fact(
      {
        switch: 'effort',
        efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
        unasked: 'does-not-think',
      },
      'https://github.com/anomalyco/opencode/issues/36141',
    ),
    sampling: fact(whileThinking, newerNames, notReadAgain),
  },
  {
    models: ['gpt-[6-9]*', 'gpt-1[0-9]*'],
    fields: reasoningFields,
    reasoning: fact(
      {
        switch: 'effort',
        efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
        unasked: 'thinks',
      },
      'https://docs.litellm.ai/blog/gpt_6_sol_luna',
    ),
    sampling: fact(whileThinking, newerNames, notReadAgain),
  },
  {
    models: ['gpt-6-astra*'],
    reasoning: fact(
      {
        switch: 'effort',
        efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
        unasked: 'thinks',
      },
      'https://developers.openai.com/api/docs/models/gpt-6-astra',
      notReadAgain,
    ),
    sampling: fact(always, reasoningGuide, notReadAgain),
  },
  {
    models: ['gpt-5.[1-9]-chat*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['medium'], unasked: 'thinks' },
      'https://github.com/egoist/chatwise-releases/issues/1257',
    ),
    sampling: fact(always, newerNames, notReadAgain),
  },
  {
    models: ['gpt-5.[1-9]*-codex*'],
    reasoning: fact(lowToHigh, 'https://github.com/openai/codex/issues/6647'),
    sampling: fact(always, reasoningGuide, notReadAgain),
  },
  {
    models: ['gpt-5.1-codex-max*', 'gpt-5.[2-9]*-codex*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['low', 'medium', 'high', 'xhigh'], unasked: 'thinks' },
      'https://docs.rs/crate/meerkat-core/0.6.25/source/src/model_profile/capabilities/openai.rs',
    ),
  },
  {
    models: ['gpt-5.[1-9]*-pro*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['medium', 'high', 'xhigh'], unasked: 'thinks' },
      'https://github.com/eyaltoledano/claude-task-master/pull/1508',
    ),
    sampling: fact(always, reasoningGuide, notReadAgain),
  },
]

/** Limits of Chat Completions and Responses at OpenAI; ids of tool calls have 64 characters in Responses. */
export const openAiLimits: Limits = {
  toolName: { max: 64, characters: 'word' },
  callId: { max: 40, characters: 'any' },
  texts: { user: { max: 64 }, safety_identifier: { max: 64 }, prompt_cache_key: { max: 64 } },
  tools: 128,
  stops: 4,
}
